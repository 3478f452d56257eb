"""The door to the memory folder's pages and index, for Lane; what is in a page and in a line, its neighbours know."""

from memlane.dream.folder_block import Cut, cut, put, without
from memlane.dream.folder_index import (
    INDEX,
    Lines,
    block_digest,
    chosen,
    hand_changes,
    listed,
    said,
    short_line,
    with_lines,
)
from memlane.dream.folder_page import UnreadableError, changes, one_line, read, rendered
from memlane.dream.topics import FOLLOWED, Page, Place, belonging, kebab, most_useful_first, pages

__all__ = [
    "FOLLOWED",
    "INDEX",
    "Cut",
    "Lines",
    "Page",
    "Place",
    "UnreadableError",
    "belonging",
    "block_digest",
    "changes",
    "chosen",
    "cut",
    "hand_changes",
    "kebab",
    "listed",
    "most_useful_first",
    "one_line",
    "pages",
    "put",
    "read",
    "rendered",
    "said",
    "short_line",
    "with_lines",
    "without",
]
