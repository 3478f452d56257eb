"""What is new on this Machine? Looks at the agents' files and hands over the bytes the archive does not have yet."""

from memlane.capture.documents import Kept, delta_of, digest_of, run_in
from memlane.capture.exclude import excluded
from memlane.capture.look import Place, Seen, SetAside, look, shown
from memlane.capture.take import ChangedUnderneathError, Look, Shelf, new_bytes, opened, run_of, whole

__all__ = [
    "ChangedUnderneathError",
    "Kept",
    "Look",
    "Place",
    "Seen",
    "SetAside",
    "Shelf",
    "delta_of",
    "digest_of",
    "excluded",
    "look",
    "new_bytes",
    "opened",
    "run_in",
    "run_of",
    "shown",
    "whole",
]
