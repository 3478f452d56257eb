"""Whose word is enough: known readers, new ones on probation, and those whose Memories turned out badly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.catch.record import ExtractorRecord, name_of, on_probation, why_on_probation

TINY = ExtractorRecord("model/openai/qwen-1.5b")


@pytest.mark.parametrize(
    ("maker", "name"),
    [
        ("model@1/openai/qwen-1.5b", "model/openai/qwen-1.5b"),
        ("model@2/command/claude/haiku", "model/command/claude/haiku"),
        ("agent@1/claude-code", "agent/claude-code"),
        ("embedded@2-8ee15475", "embedded"),
    ],
)
def test_another_prompt_is_no_other_reader(maker: str, name: str) -> None:
    assert name_of(maker) == name


@pytest.mark.parametrize(
    "name",
    [
        "embedded",
        "agent/codex",
        "agent/whatever",
        "model/command/claude",
        "model/command/codex/gpt-5",
        "model/anthropic/claude-haiku-4-5",
        "model/openai/gpt-5-mini",
    ],
)
def test_a_persons_own_agent_and_known_models_are_believed_at_once(name: str) -> None:
    assert not on_probation(ExtractorRecord(name))


@pytest.mark.parametrize("name", ["model/openai/qwen-1.5b", "model/openai/gpt-oss:20b", "model/command/my-script.sh"])
def test_a_model_nobody_knows_is_on_probation(name: str) -> None:
    assert on_probation(ExtractorRecord(name))


def test_twenty_answers_that_agree_or_a_person_who_keeps_more_than_they_reject_end_it() -> None:
    good = replace(TINY, answers=20, agreeing=14, telling=3)
    assert not on_probation(good)
    assert on_probation(replace(good, answers=19))
    assert on_probation(replace(good, agreeing=13))
    assert on_probation(replace(good, agreeing=20, telling=2))
    assert not on_probation(replace(TINY, accepted=3, rejected=2))
    assert on_probation(replace(TINY, accepted=2, rejected=3))
    assert on_probation(replace(TINY, accepted=4))


def test_a_bad_record_puts_anybody_on_probation_also_a_known_one() -> None:
    for name in ("agent/claude-code", "model/command/claude"):
        known = ExtractorRecord(name, answers=40)
        assert on_probation(replace(known, accepted=5, rejected=5))
        assert not on_probation(replace(known, accepted=4, rejected=5))
        assert on_probation(replace(known, inventing=21))
        assert not on_probation(replace(known, inventing=21, accepted=2))


def test_what_is_said_names_the_reader_and_how_far_it_is() -> None:
    assert why_on_probation(replace(TINY, answers=4)) == (
        "qwen-1.5b is on probation: 4 of 20 read; its memories wait for your review"
    )
    assert "3 of its first 20 answers agree" in why_on_probation(replace(TINY, answers=30, agreeing=3))
    assert "you rejected 9 of 12 of its memories" in why_on_probation(replace(TINY, accepted=3, rejected=9))
    assert "9 of its 11 answers quote words that nobody said" in why_on_probation(
        replace(TINY, answers=11, inventing=9)
    )
    assert why_on_probation(ExtractorRecord("agent/codex")) == ""
