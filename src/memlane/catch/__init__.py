"""What here is worth remembering? Windows of a Run, an extractor's Drafts, and the checks that make them Memories."""

from memlane.catch.extractor import Extractor
from memlane.catch.moment import Moment, from_line, moments

__all__ = ["Extractor", "Moment", "from_line", "moments"]
