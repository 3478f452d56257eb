"""May this be kept? What every Draft has to pass: word for word, no secret, on its own feet, worth keeping."""

from memlane.catch.checks.check import LONGEST_CONTENT, LONGEST_TITLE, Refused, check

__all__ = ["LONGEST_CONTENT", "LONGEST_TITLE", "Refused", "check"]
