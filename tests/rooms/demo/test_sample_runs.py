"""The sample runs are what their agents would have written, and the same every time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath

import pytest

from memlane.agents import SOURCES, LineStream, Surroundings, Transcript
from memlane.demo import RUNS, SampleTranscript, planted_secret, write_home
from memlane.domain import Facts, Kind, Relation, Turn
from tests.house.tree import tracked_files

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Understood:
    """A transcript as its Source reads it."""

    written: SampleTranscript
    transcript: Transcript
    turns: list[Turn]
    facts: Facts


@pytest.fixture
def written(tmp_path: Path) -> list[SampleTranscript]:
    return write_home(tmp_path, NOW)


def understood(home: Path, written: list[SampleTranscript]) -> Iterator[Understood]:
    sources = {source.name: source for source in SOURCES}
    for one in written:
        source = sources[one.sample.agent]
        roots = [root for root in source.places(Surroundings(home, {})) if root in one.path.parents]
        transcript = source.recognise(PurePath(one.path).relative_to(roots[0]))
        assert isinstance(transcript, Transcript)
        reading = source.read(LineStream(iter([one.path.read_bytes()])), transcript)
        yield Understood(one, transcript, list(reading.turns()), reading.facts())


def test_the_same_home_on_the_same_day_is_the_same_bytes(tmp_path: Path) -> None:
    homes = (tmp_path / "one" / "h", tmp_path / "two" / "h")
    first, second = (
        {
            one.path.relative_to(home): one.path.read_bytes().replace(str(home).encode(), b"~")
            for one in write_home(home, NOW)
        }
        for home in homes
    )
    slugs = {path.parts[2] for path in first} ^ {path.parts[2] for path in second}
    assert len(first) == len(second) == len(RUNS)
    spelled = re.sub(r"[^A-Za-z0-9]", "-", tmp_path.name)
    assert all(spelled in slug for slug in slugs)  # only the folder names that spell the home differ
    assert sorted(first.values()) == sorted(second.values())


def test_the_agents_would_have_written_it_so(tmp_path: Path, written: list[SampleTranscript]) -> None:
    for one in understood(tmp_path, written):
        assert one.facts.unknown == {}
        assert one.facts.broken == ()
        assert one.facts.title == one.written.sample.title
        assert one.facts.cwd == str(tmp_path / "code" / one.written.sample.at.name)


def test_what_the_person_typed_is_what_is_read(tmp_path: Path, written: list[SampleTranscript]) -> None:
    for one in understood(tmp_path, written):
        prompts = [step.text for turn in one.turns for step in turn.steps if step.kind is Kind.PROMPT]
        assert prompts == [asked.words for asked in one.written.sample.asked]


def test_every_call_has_its_result(tmp_path: Path, written: list[SampleTranscript]) -> None:
    for one in understood(tmp_path, written):
        calls = [step.call for turn in one.turns for step in turn.steps if step.call]
        meant = [done for asked in one.written.sample.asked for done in asked.then if not isinstance(done, str)]
        assert [call.error for call in calls] == [done.failed or bool(done.refused) for done in meant]
        assert all(done.result in call.result for call, done in zip(calls, meant, strict=True) if not done.refused)


def test_a_refusal_keeps_the_persons_words(tmp_path: Path, written: list[SampleTranscript]) -> None:
    said = [
        step.text
        for one in understood(tmp_path, written)
        for turn in one.turns
        for step in turn.steps
        if step.kind is Kind.ANSWER
    ]
    refused = [
        done.refused
        for sample in RUNS
        for asked in sample.asked
        for done in asked.then
        if not isinstance(done, str) and done.refused
    ]
    assert said == refused != []


def test_the_subagent_names_the_run_it_came_from(tmp_path: Path, written: list[SampleTranscript]) -> None:
    runs = list(understood(tmp_path, written))
    children = [one for one in runs if one.facts.relation is Relation.SUBAGENT]
    assert [one.written.sample.key for one in children] == [sample.key for sample in RUNS if sample.under]
    parents = {one.transcript.native_id for one in runs}
    assert {one.facts.parent_native_id for one in children} <= parents


def test_the_planted_token_stands_in_one_transcript_and_in_no_file_of_ours(written: list[SampleTranscript]) -> None:
    secret = planted_secret().encode()
    assert [one.sample.key for one in written if secret in one.path.read_bytes()] == ["release-token"]
    assert [path for path in tracked_files() if secret in path.read_bytes()] == []
