"""`lane mem`: everything a person does by hand with memories. One module for each verb or few of them."""

from memlane.surfaces.cli.mem import (
    adding,
    editing,
    folder,
    forgetting,
    listing,
    merging,
    moving,
    past,
    review,
    showing,
    taking_in,
)
from memlane.surfaces.cli.mem.group import command

__all__ = [
    "adding",
    "command",
    "editing",
    "folder",
    "forgetting",
    "listing",
    "merging",
    "moving",
    "past",
    "review",
    "showing",
    "taking_in",
]
