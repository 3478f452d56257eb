"""Rows written as Parquet files, one for each table, a few thousand rows at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlane.errors import UsageError
from memlane.export import TABLES
from memlane.system.extra import install_line

if TYPE_CHECKING:
    from memlane.export import TableRows

GROUP = 5_000  # rows of a table that are kept in memory


class TableFiles:
    def __init__(self, folder: Path) -> None:
        import pyarrow as arrow
        from pyarrow import parquet

        self._arrow: Any = arrow
        self._schemas: dict[str, Any] = {
            name: arrow.schema(list(_fields(columns, arrow))) for name, columns in TABLES.items()
        }
        self._files: dict[str, Any] = {
            name: parquet.ParquetWriter(folder / f"{name}.parquet", schema, compression="zstd")
            for name, schema in self._schemas.items()
        }
        for name in self._files:
            (folder / f"{name}.parquet").chmod(0o600)
        self._waiting: dict[str, list[dict[str, object]]] = {name: [] for name in TABLES}

    @staticmethod
    def must_be_installed() -> None:
        if find_spec("pyarrow") is None:
            raise UsageError("Parquet needs pyarrow", hint=install_line("parquet"))

    def add(self, rows: TableRows) -> None:
        for name, more in rows.items():
            self._waiting[name] += more
            if len(self._waiting[name]) >= GROUP:
                self._flush(name)

    def close(self) -> None:
        for name, file in self._files.items():
            self._flush(name)
            file.close()

    def _flush(self, name: str) -> None:
        rows = [_plain(row, TABLES[name]) for row in self._waiting[name]]
        if rows:
            self._files[name].write_table(self._arrow.Table.from_pylist(rows, schema=self._schemas[name]))
        self._waiting[name] = []


def _fields(columns: Mapping[str, str], arrow: Any) -> Sequence[tuple[str, Any]]:
    types = {
        "text": arrow.string(),
        "number": arrow.int64(),
        "share": arrow.float64(),
        "time": arrow.timestamp("us", tz="UTC"),
        "flag": arrow.bool_(),
        "texts": arrow.list_(arrow.string()),
    }
    return [(name, types[kind]) for name, kind in columns.items()]


def _plain(row: Mapping[str, object], columns: Mapping[str, str]) -> dict[str, object]:
    return {name: _value(row.get(name)) for name in columns}


def _value(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # half a surrogate pair is no text to Parquet
    return value
