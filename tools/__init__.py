"""What the people who work on memlane run. Nothing here is shipped, and the package never imports it."""
