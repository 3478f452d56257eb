"""The table of worked cases (`examples.toml`): what each is about, and the tests that show it. Red where there is none.

It reads the tests as text, so it needs nothing installed and says the same on every machine.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from tools.check import ROOT

ROWS = ROOT / "tools" / "examples.toml"
TESTS = ROOT / "tests"
EVERY = "*"  # all tests of a file


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """One case, and its tests: (path below tests/, name); `*` stands for all of a file."""

    id: str
    group: str
    case: str
    tests: Sequence[tuple[str, str]]


def rows() -> Sequence[ExampleRow]:
    found = list[ExampleRow]()
    for group in tomllib.loads(ROWS.read_text()).values():
        for id, row in group.items():
            if id != "title":
                named = cast(Mapping[str, Sequence[str]], row.get("tests", {}))
                tests = [(path, name) for path, names in named.items() for name in names]
                found.append(ExampleRow(id, group["title"], row["case"], tests))
    return found


@cache
def tests_in(path: str) -> frozenset[str]:
    """Names of the tests of a file; none: there is no such file."""
    file = TESTS / path
    nodes = ast.walk(ast.parse(file.read_text())) if file.is_file() else ()
    names = (node.name for node in nodes if isinstance(node, ast.FunctionDef))
    return frozenset(name for name in names if name.startswith("test_"))


def wrong() -> Sequence[str]:
    """Tests that a row names and that are not there."""
    named = ((row.id, path, name) for row in rows() for path, name in row.tests)
    return [f"{id}: tests/{path}::{name}" for id, path, name in named if not _is_there(path, name)]


def _is_there(path: str, name: str) -> bool:
    return bool(tests_in(path)) if name == EVERY else name in tests_in(path)


def example_table() -> str:
    told, group = list[str](), ""
    for row in rows():
        if row.group != group:
            group = row.group
            told += [f"\n## {group}\n", "| case | is about | shown by |", "|---|---|---|"]
        told.append(f"| {row.id} | {row.case} | {_shown(row)} |")
    return "\n".join(told).strip()


def _shown(row: ExampleRow) -> str:
    if not row.tests:
        return "🔴 **no test**"
    return ", ".join(f"[`{_called(path, name)}`](../../tests/{path})" for path, name in row.tests)


def _called(path: str, name: str) -> str:
    return path if name == EVERY else name.removeprefix("test_")


def summary() -> str:
    every = rows()
    red = [row.id for row in every if not row.tests]
    without = f"; without one: {', '.join(red)}" if red else ""
    return f"{len(every)} cases, {len(every) - len(red)} with a test that shows them{without}."
