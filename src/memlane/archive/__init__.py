"""What exactly was said and decided? The transcripts byte for byte, and the Journal. All else derives from them."""

from memlane.archive.append import AppendReceipt, append, rewrite
from memlane.archive.comparison import Comparison, begin_anew, compare
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
from memlane.archive.line_order import lines_put_back
from memlane.archive.metadata import Metadata, load
from memlane.archive.presence import LineName, generation_names, lines_in
from memlane.archive.read import added, pieces
from memlane.archive.register import Register
from memlane.archive.register_check import check_registers
from memlane.archive.register_line import OLDER, Loss
from memlane.archive.shelf import RunHolding, Shelf, held, settle
from memlane.archive.side_files import keep_side_file
from memlane.archive.verify import verify

__all__ = [
    "OLDER",
    "AppendReceipt",
    "BadLine",
    "Comparison",
    "Layout",
    "LineName",
    "Loss",
    "Metadata",
    "PlacedEntry",
    "Register",
    "RunHolding",
    "Shelf",
    "added",
    "append",
    "begin_anew",
    "begin_forgetting",
    "being_forgotten",
    "check_registers",
    "compare",
    "entries_with",
    "forget_bytes",
    "forgotten",
    "generation_names",
    "held",
    "keep_side_file",
    "lines_in",
    "lines_put_back",
    "load",
    "pieces",
    "rewrite",
    "settle",
    "verify",
    "without_text_of",
]
