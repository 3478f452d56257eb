"""What is new on this Machine? Reads the agents' files and returns the bytes that are not archived yet."""

from memlane.capture.documents import ArchivedRun, delta_of, digest_of, run_in
from memlane.capture.look import SkippedFile, SourceFile, SourceFolder, UnreadableFile, excluded, look, shown
from memlane.capture.take import (
    ArchiveView,
    CaptureTools,
    ChangedUnderneathError,
    new_bytes,
    opened,
    run_of,
    told_apart,
    whole,
)

__all__ = [
    "ArchiveView",
    "ArchivedRun",
    "CaptureTools",
    "ChangedUnderneathError",
    "SkippedFile",
    "SourceFile",
    "SourceFolder",
    "UnreadableFile",
    "delta_of",
    "digest_of",
    "excluded",
    "look",
    "new_bytes",
    "opened",
    "run_in",
    "run_of",
    "shown",
    "told_apart",
    "whole",
]
