"""Every kind of journal line is written down, field by field, and nothing is written down that is not there."""

from __future__ import annotations

import re
from dataclasses import fields
from datetime import UTC, datetime

import msgspec

from memlane.archive import journal
from memlane.archive.metadata import Metadata, SideCopy
from memlane.domain import (
    AppliedChange,
    Doubt,
    Dream,
    Entry,
    Evidence,
    Feedback,
    Idea,
    Match,
    Memory,
    Mention,
    Query,
    Recall,
    Refusal,
)
from memlane.domain.delta import Generation
from memlane.domain.journal import KINDS
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "formats" / "journal.md").read_text()
ARCHIVE_PAGE = (ROOT / "docs" / "formats" / "archive.md").read_text()
SECTION = re.compile(r"^### `(?P<kind>[a-z-]+)`\n(?P<body>.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"`([a-z0-9_]+)`")


def sections() -> dict[str, str]:
    return {found["kind"]: found["body"] for found in SECTION.finditer(PAGE)}


def first_column(text: str) -> list[str]:
    """The names in the first cells of all tables, in order."""
    cells = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return [name for cell in cells for name in WORD.findall(cell)]


def names(*types: type) -> set[str]:
    return {field.name for each in types for field in fields(each)}


def test_every_kind_is_documented_and_every_documented_kind_is_one() -> None:
    assert set(sections()) == KINDS


def test_a_line_has_the_documented_fields_in_the_documented_order() -> None:
    line = journal.encode(Entry("state", "m_1", datetime(2026, 11, 15, tzinfo=UTC), "noor", "laptop", "person", {}))
    written = list(msgspec.json.decode(line))
    assert first_column(PAGE.partition("## Kinds")[0]) == written


def test_every_field_of_a_memory_is_documented() -> None:
    told = first_column(sections()["memory"])
    assert names(Memory) == set(told) - {"memory", "because", "dream", "change", "faded", "replaces"}
    assert names(Evidence, Mention) <= set(WORD.findall(sections()["memory"]))


def test_every_field_of_a_recall_is_documented() -> None:
    told = first_column(sections()["recall"])
    assert names(Recall) == set(told) - {"recall"}
    assert names(Query, Match) <= set(WORD.findall(sections()["recall"]))


def test_every_field_of_a_feedback_is_documented() -> None:
    assert names(Feedback) <= set(WORD.findall(sections()["feedback"]))


def test_every_field_of_a_dreams_report_is_documented() -> None:
    assert names(Dream, AppliedChange, Refusal, Doubt, Idea) <= set(WORD.findall(sections()["dream"]))


def test_every_field_of_a_runs_metadata_is_documented() -> None:
    told = ARCHIVE_PAGE.partition("## `metadata.json`")[2].partition("## `files/`")[0]
    assert set(first_column(told)) == names(Metadata, Generation)
    assert names(SideCopy) <= set(WORD.findall(told))
