"""HTTP: what is refused before any handler, and what each route answers."""
