"""The table of faults: what we must survive (`faults.toml`) and the tests that say, by a marker, which rows they cover.

It reads the tests as text, so it needs nothing installed and says the same on every machine.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from tools.check import ROOT

ROWS = ROOT / "tools" / "faults.toml"
TESTS = ROOT / "tests"
OF_A_GROUP = ("title", "planned")
LINKED = 3  # tests named per row; the markers have the rest


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One fault. `planned` and `argued` say why it may have no test."""

    id: str
    group: str
    fault: str
    planned: str = ""
    argued: str = ""


@dataclass(frozen=True, slots=True)
class CoveringTest:
    """A test and the rows it says it covers."""

    path: Path
    name: str
    rows: Sequence[str]


def rows() -> Sequence[FaultRow]:
    found = list[FaultRow]()
    for group in tomllib.loads(ROWS.read_text()).values():
        fields = cast("dict[str, dict[str, str]]", {name: row for name, row in group.items() if name not in OF_A_GROUP})
        planned = group.get("planned", "")
        found += [FaultRow(id, group["title"], **{"planned": planned, **row}) for id, row in fields.items()]
    return found


@cache
def covering_tests() -> Sequence[CoveringTest]:
    paths = [path for path in sorted(TESTS.rglob("test_*.py")) if ".mark.fault(" in path.read_text()]
    return [test for path in paths for test in marked(path)]


def marked(path: Path) -> Iterator[CoveringTest]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            found = [row for decorator in node.decorator_list for row in _rows_of(decorator)]
            if found:
                yield CoveringTest(path, node.name, found)


def _rows_of(decorator: ast.expr) -> Iterator[str]:
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.fault":
        yield from (cast(str, ast.literal_eval(argument)) for argument in decorator.args)


def covered() -> Mapping[str, Sequence[CoveringTest]]:
    """Each row that a test names, with all that do."""
    found = dict[str, list[CoveringTest]]()
    for test in covering_tests():
        for row in test.rows:
            found.setdefault(row, []).append(test)
    return found


def uncovered() -> Sequence[FaultRow]:
    """Rows of what exists that have neither a test nor an argument."""
    tests = covered()
    return [row for row in rows() if row.id not in tests and not row.planned and not row.argued]


def fault_table() -> str:
    tests, told, group = covered(), list[str](), ""
    for row in rows():
        if row.group != group:
            group = row.group
            told += [f"\n## {group}\n", "| row | fault | covered by |", "|---|---|---|"]
        told.append(f"| {row.id} | {row.fault} | {_coverage(row, tests.get(row.id, ()))} |")
    return "\n".join(told).strip()


def _coverage(row: FaultRow, tests: Sequence[CoveringTest]) -> str:
    if not tests:
        return f"planned: {row.planned}" if row.planned else row.argued or "**nothing**"
    named = [f"[`{test.name.removeprefix('test_')}`](../../{test.path.relative_to(ROOT)})" for test in tests[:LINKED]]
    more = f" and {len(tests) - LINKED} more" if len(tests) > LINKED else ""
    return ", ".join(named) + more


def summary() -> str:
    all_rows, tests = rows(), covered()
    planned = sum(bool(row.planned) and row.id not in tests for row in all_rows)
    argued = sum(bool(row.argued) and row.id not in tests for row in all_rows)
    have = sum(row.id in tests for row in all_rows)
    return f"{len(all_rows)} rows: {have} covered by tests, {argued} argued, {planned} planned."
