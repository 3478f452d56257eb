"""Damage in the home, and what is said of it."""
