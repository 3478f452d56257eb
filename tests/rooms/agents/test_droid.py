"""Droid: sessions that came out of another one, as it recorded them."""

from __future__ import annotations

from pathlib import Path

from memlane.agents import LineStream, Transcript
from memlane.agents.droid.source import Droid
from memlane.domain import Author, Facts, Kind, Relation, Turn

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts" / "droid"


def read(data: bytes) -> tuple[list[Turn], Facts]:
    reading = Droid().read(LineStream(iter([data])), Transcript("x"))
    return list(reading.turns()), reading.facts()


def test_after_a_compaction_it_goes_on_in_a_session_that_begins_with_a_summary() -> None:
    turns, facts = read((FIXTURES / "compacted-0.215.0.jsonl").read_bytes())
    assert facts.relation is Relation.CONTINUATION
    assert facts.parent_native_id.startswith("032bae17-")
    (summary,) = [step for turn in turns for step in turn.steps if step.kind is Kind.SUMMARY]
    assert (summary.author, summary.text) == (Author.AGENT, "calm")
    assert [turn.person for turn in turns if turn.person] == ["and then @@say low@@"]
    assert facts.unknown == {}


def test_a_fork_repeats_the_session_it_came_from() -> None:
    turns, facts = read((FIXTURES / "fork-0.215.0.jsonl").read_bytes())
    assert facts.relation is Relation.FORK
    assert facts.parent_native_id.startswith("21cdc98b-")
    assert [turn.person for turn in turns if turn.person] == ["first @@say one@@", "second @@say two@@"]


def test_a_fork_that_compacts_later_stays_a_fork() -> None:
    later = b'{"type":"compaction_state","summaryText":"so far"}\n'
    _turns, facts = read((FIXTURES / "fork-0.215.0.jsonl").read_bytes() + later)
    assert facts.relation is Relation.FORK
