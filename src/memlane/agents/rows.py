"""Rows of somebody's database as JSON lines: `{"table": …, "row": {…}}`, the same bytes for the same row every time.

A row that changed stands there again; the last version counts, at the place of the first.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from memlane.agents.agent import Line
from memlane.agents.records import BrokenRecordError, Record, mapping, records, text
from memlane.domain import BrokenLine
from memlane.system.sqlite_snapshot import Cell


def row_line(table: str, columns: Sequence[str], cells: Sequence[Cell]) -> bytes:
    row = {name: _plain(cell) for name, cell in zip(columns, cells, strict=True)}
    return msgspec.json.encode({"table": table, "row": row})


def _plain(cell: Cell) -> object:
    if isinstance(cell, bytes):
        try:
            return cell.decode()
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(cell).decode()}
    return cell


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row as it was last written, and the line that says so."""

    row: Record
    line: int


@dataclass(slots=True)
class Rows:
    """All rows of a Run by table and key, in the order they were first seen."""

    tables: dict[str, dict[str, TableRow]] = field(default_factory=dict[str, dict[str, TableRow]])
    broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    unknown: Counter[str] = field(default_factory=Counter[str])

    def of(self, table: str) -> list[TableRow]:
        return list(self.tables.get(table, {}).values())


def folded(lines: Iterable[Line], keys: Mapping[str, tuple[str, ...]]) -> Rows:
    """`keys`: the known tables, each with the columns a row may be known by; the first that is there counts."""
    rows = Rows({table: {} for table in keys})
    for line in lines:
        try:
            for record in records(line):
                table, row = text(record.get("table")), mapping(record.get("row"))
                if table in keys:
                    name = next((found for column in keys[table] if (found := text(row.get(column)))), "")
                    rows.tables[table][name] = TableRow(row, line.n)
                else:
                    rows.unknown[table[:80] or "no table"] += 1
        except BrokenRecordError as broken:
            rows.broken.append(BrokenLine(line.n, str(broken)))
    return rows
