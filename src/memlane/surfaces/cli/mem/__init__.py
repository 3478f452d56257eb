"""`lane mem`: everything a person does by hand with memories. One module for each verb or few of them."""

from memlane.surfaces.cli.mem import card, edit, folder, group, history, notes, review, table
from memlane.surfaces.cli.mem.group import command

__all__ = [
    "card",
    "command",
    "edit",
    "folder",
    "group",
    "history",
    "notes",
    "review",
    "table",
]
