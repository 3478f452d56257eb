"""What here is worth remembering? Windows of a Run, an extractor's Drafts, and the checks that make them Memories."""

from memlane.catch.again import asked_before, holds_in, near, repeats, understand
from memlane.catch.checks import Refused
from memlane.catch.extractor import Extractor, Recording
from memlane.catch.judge import Again, Bench, Made, Passed, Verdict, judge
from memlane.catch.moment import Moment, from_line, moments
from memlane.catch.reread import only_from, overlaps, settled
from memlane.catch.windows import IDLE, About, Closed, closed
from memlane.catch.writing import Writing

NEARBY = 6  # Memories that whoever reads a Window is shown
ENOUGH_SAID = 4_000  # characters of a Window that say what it is about

__all__ = [
    "ENOUGH_SAID",
    "IDLE",
    "NEARBY",
    "About",
    "Again",
    "Bench",
    "Closed",
    "Extractor",
    "Made",
    "Moment",
    "Passed",
    "Recording",
    "Refused",
    "Verdict",
    "Writing",
    "asked_before",
    "closed",
    "from_line",
    "holds_in",
    "judge",
    "moments",
    "near",
    "only_from",
    "overlaps",
    "repeats",
    "settled",
    "understand",
]
