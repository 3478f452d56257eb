"""What does each page show? One module a page: what it asks of the Lane, and what its template is given."""
