"""What here is worth remembering? Windows of a Run, an extractor's Drafts, and the checks that make them Memories."""

from memlane.catch.checks import DraftRefusal
from memlane.catch.entries import WindowEntries, only_from, overlaps, probation_over, settled
from memlane.catch.extractor import ACTIVE_FROM, Extractor, ResumableExtractor
from memlane.catch.moment import Moment, from_line, moments
from memlane.catch.observation import (
    asked_before,
    belongs_to,
    holds_in,
    near,
    repeats,
    understand,
    understand_cues,
)
from memlane.catch.promise import run_promise
from memlane.catch.teachings import is_taught, taught_in
from memlane.catch.verdict import Bench, Improvement, NewMemory, NewObservation, Omission, Verdict, judge
from memlane.catch.windows import IDLE, ClosedWindows, WindowOrigin, closed

NEARBY = 6  # Memories that whoever reads a Window is shown
ENOUGH_SAID = 4_000  # characters of a Window that say what it is about

__all__ = [
    "ACTIVE_FROM",
    "ENOUGH_SAID",
    "IDLE",
    "NEARBY",
    "Bench",
    "ClosedWindows",
    "DraftRefusal",
    "Extractor",
    "Improvement",
    "Moment",
    "NewMemory",
    "NewObservation",
    "Omission",
    "ResumableExtractor",
    "Verdict",
    "WindowEntries",
    "WindowOrigin",
    "asked_before",
    "belongs_to",
    "closed",
    "from_line",
    "holds_in",
    "is_taught",
    "judge",
    "moments",
    "near",
    "only_from",
    "overlaps",
    "probation_over",
    "repeats",
    "run_promise",
    "settled",
    "taught_in",
    "understand",
    "understand_cues",
]
