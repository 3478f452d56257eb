"""How does a Run leave, so that others can read it? Masked Turns in, files of a published format out.

Knows formats alone; `app/export.py` chooses Runs, masks them, writes the files and says what was masked.
"""

from __future__ import annotations

from memlane.export.formats import FORMATS, RunFormat
from memlane.export.html import contents as html_contents
from memlane.export.markdown import contents as markdown_contents
from memlane.export.native import is_record, is_settled, masked_lines, settled, settled_lines
from memlane.export.tables import TABLES, RunRows, TableRows, memory_rows, recall_rows, run_rows

__all__ = [
    "FORMATS",
    "TABLES",
    "RunFormat",
    "RunRows",
    "TableRows",
    "html_contents",
    "is_record",
    "is_settled",
    "markdown_contents",
    "masked_lines",
    "memory_rows",
    "recall_rows",
    "run_rows",
    "settled",
    "settled_lines",
]
