"""What exactly was said and decided? The transcripts byte for byte, and the Journal: the authority for everything."""

from memlane.archive.append import Appended, append, rewrite
from memlane.archive.forget import begin_forgetting, being_forgotten, forget_bytes, forgotten
from memlane.archive.held import Held, held, settle
from memlane.archive.journal import BadLine, Placed
from memlane.archive.layout import Layout
from memlane.archive.metadata import Metadata, load
from memlane.archive.past import entries_with, without_text_of
from memlane.archive.read import added, pieces
from memlane.archive.shelf import Shelf
from memlane.archive.side import keep_side_file
from memlane.archive.verify import verify

__all__ = [
    "Appended",
    "BadLine",
    "Held",
    "Layout",
    "Metadata",
    "Placed",
    "Shelf",
    "added",
    "append",
    "begin_forgetting",
    "being_forgotten",
    "entries_with",
    "forget_bytes",
    "forgotten",
    "held",
    "keep_side_file",
    "load",
    "pieces",
    "rewrite",
    "settle",
    "verify",
    "without_text_of",
]
