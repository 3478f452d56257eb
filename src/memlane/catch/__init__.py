"""What here is worth remembering? Windows of a Run, an extractor's Drafts, and the checks that make them Memories."""

from memlane.catch.extractor import Extractor

__all__ = ["Extractor"]
