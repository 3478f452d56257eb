"""What exactly was said and decided? The transcripts byte for byte, and the Journal. All else derives from them."""

from memlane.archive.append import AppendReceipt, append, rewrite
from memlane.archive.forget import (
    begin_forgetting,
    being_forgotten,
    entries_with,
    forget_bytes,
    forgotten,
    without_text_of,
)
from memlane.archive.journal import BadLine, PlacedEntry
from memlane.archive.layout import Layout
from memlane.archive.metadata import Metadata, load
from memlane.archive.read import added, pieces
from memlane.archive.shelf import RunHolding, Shelf, held, settle
from memlane.archive.side_files import keep_side_file
from memlane.archive.verify import verify

__all__ = [
    "AppendReceipt",
    "BadLine",
    "Layout",
    "Metadata",
    "PlacedEntry",
    "RunHolding",
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
