"""What exactly was said and decided? The transcripts byte for byte, and the Journal. All else derives from them."""

from memlane.archive.append import AppendReceipt, append, rewrite
from memlane.archive.arrival import Reception, Sender
from memlane.archive.comparison import Comparison, begin_anew, compare
from memlane.archive.forget import (
    begin_forgetting,
    being_forgotten,
    entries_with,
    forget_bytes,
    forgetting_says,
    forgotten,
    without_text_of,
)
from memlane.archive.frame import (
    LARGEST_BODY,
    MOST_FRAMES,
    Answer,
    FrameAnswer,
    Part,
    ShipFrame,
    packed,
    size_unpacked,
    unpacked,
)
from memlane.archive.journal import BadLine, PlacedEntry
from memlane.archive.journal_copies import last_line, last_line_of, lines_held, order_of, put_together
from memlane.archive.layout import SIDE_FOLDER, Layout, safe_name
from memlane.archive.line_order import lines_put_back
from memlane.archive.mask_copy import Masking, copied_from, copy_masked, drop_masked
from memlane.archive.metadata import Metadata, load
from memlane.archive.metadata import decode as metadata_in
from memlane.archive.outbox import (
    OutgoingRun,
    RunReceipt,
    frames_of,
    journal_frames,
    journals_held,
    outgoing,
    outgoing_run,
    part_name,
    receipt_of,
)
from memlane.archive.presence import LineName, generation_names, lines_in
from memlane.archive.read import added, pieces, salvage
from memlane.archive.register import Register
from memlane.archive.register_check import check_registers
from memlane.archive.register_line import OLDER, Loss, register_files
from memlane.archive.shelf import RunHolding, Shelf, held, settle
from memlane.archive.side_files import keep_side_file
from memlane.archive.verify import verify

__all__ = [
    "LARGEST_BODY",
    "MOST_FRAMES",
    "OLDER",
    "SIDE_FOLDER",
    "Answer",
    "AppendReceipt",
    "BadLine",
    "Comparison",
    "FrameAnswer",
    "Layout",
    "LineName",
    "Loss",
    "Masking",
    "Metadata",
    "OutgoingRun",
    "Part",
    "PlacedEntry",
    "Reception",
    "Register",
    "RunHolding",
    "RunReceipt",
    "Sender",
    "Shelf",
    "ShipFrame",
    "added",
    "append",
    "begin_anew",
    "begin_forgetting",
    "being_forgotten",
    "check_registers",
    "compare",
    "copied_from",
    "copy_masked",
    "drop_masked",
    "entries_with",
    "forget_bytes",
    "forgetting_says",
    "forgotten",
    "frames_of",
    "generation_names",
    "held",
    "journal_frames",
    "journals_held",
    "keep_side_file",
    "last_line",
    "last_line_of",
    "lines_held",
    "lines_in",
    "lines_put_back",
    "load",
    "metadata_in",
    "order_of",
    "outgoing",
    "outgoing_run",
    "packed",
    "part_name",
    "pieces",
    "put_together",
    "receipt_of",
    "register_files",
    "rewrite",
    "safe_name",
    "salvage",
    "settle",
    "size_unpacked",
    "unpacked",
    "verify",
    "without_text_of",
]
