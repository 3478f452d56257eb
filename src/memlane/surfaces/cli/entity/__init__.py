"""`lane entity`: who and what memories are about, and what people say about names."""

from memlane.surfaces.cli.entity import listing, making, review
from memlane.surfaces.cli.entity.group import command

__all__ = ["command", "listing", "making", "review"]
