"""`lane entity`: who and what memories are about, and what people say about names."""

from memlane.surfaces.cli.entity import group, review
from memlane.surfaces.cli.entity.group import command

__all__ = ["command", "group", "review"]
