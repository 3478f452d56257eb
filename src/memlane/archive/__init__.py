"""What exactly was said and decided? The transcripts byte for byte, and the Journal: the authority for everything."""

from memlane.archive.append import Appended, append, keep_side_file, rewrite
from memlane.archive.journal import BadLine, Placed
from memlane.archive.layout import Layout
from memlane.archive.metadata import Metadata, load
from memlane.archive.read import pieces, tail
from memlane.archive.verify import verify

__all__ = [
    "Appended",
    "BadLine",
    "Layout",
    "Metadata",
    "Placed",
    "append",
    "keep_side_file",
    "load",
    "pieces",
    "rewrite",
    "tail",
    "verify",
]
