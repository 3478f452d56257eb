"""Which projects there are, under how many names, and why those are one: found, joined, taken apart, renamed."""

from memlane.app.projects.book import JoinedKey, ProjectBook, ProjectRow
from memlane.identity import JoinProposal

__all__ = ["JoinProposal", "JoinedKey", "ProjectBook", "ProjectRow"]
