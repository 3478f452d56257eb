"""The quiet part of the path: what is known is read again, changes are proposed, checked and written, and reported."""
