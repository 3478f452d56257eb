"""What do we still believe? Proposals to merge, supersede, make exact, retire and fade Memories, and their checks."""

from memlane.dream.check import STANDS_OTHERWISE, Sifted, refuse, runs_away, sift
from memlane.dream.connect import connect
from memlane.dream.fade import fade, unwanted
from memlane.dream.folder_block import Cut, cut, put, without
from memlane.dream.folder_index import (
    INDEX,
    Lines,
    block_digest,
    chosen,
    hand_changes,
    listed,
    said,
    with_lines,
)
from memlane.dream.folder_page import UnreadableError, changes, read, rendered
from memlane.dream.gather import DREAM, STANDING, Gathered, Near, Past, gather, past_of
from memlane.dream.graduate import graduate
from memlane.dream.merged import merged
from memlane.dream.topics import FOLLOWED, Page, Place, belonging, kebab, most_useful_first, pages

__all__ = [
    "DREAM",
    "FOLLOWED",
    "INDEX",
    "STANDING",
    "STANDS_OTHERWISE",
    "Cut",
    "Gathered",
    "Lines",
    "Near",
    "Page",
    "Past",
    "Place",
    "Sifted",
    "UnreadableError",
    "belonging",
    "block_digest",
    "changes",
    "chosen",
    "connect",
    "cut",
    "fade",
    "gather",
    "graduate",
    "hand_changes",
    "kebab",
    "listed",
    "merged",
    "most_useful_first",
    "pages",
    "past_of",
    "put",
    "read",
    "refuse",
    "rendered",
    "runs_away",
    "said",
    "sift",
    "unwanted",
    "with_lines",
    "without",
]
