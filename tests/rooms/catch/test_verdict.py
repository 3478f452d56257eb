"""A checked Draft as a Memory: all its fields, and the same one however often it is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memlane.catch.verdict import memory_of
from memlane.domain import Draft, Mention, Project, Quote, Scope, Spot, State, Trust, Type
from tests.rooms.catch.small_runs import START, agent, prompt, run, shell, window

SAVED = START + timedelta(minutes=17)
SEEN = replace(
    window(
        run(prompt("Send an email to Amy"), agent("Dear Ms. Hoy,"), prompt("No, Amy and I are  casual, be friendly"))
    ),
    run="r_7",
    owner="noor",
    generation=3,
    project=Project("noor/mail", "git.example/noor/mail"),
)
DRAFT = Draft(
    Type.CORRECTION,
    "Write to Amy in a casual, friendly tone",
    "A formal draft to Amy was rejected.",
    (Quote(Spot(2, 1), "Amy and I are  casual"), Quote(Spot(1, 1), "email to Amy")),
    "the person corrected the tone",
    92,
    category="email",
    scope=Scope.PERSON,
    mentions=(Mention("person", "Amy", "hoy-amy", True),),
    target_agents=("codex",),
    alternatives=("a formal tone",),
)


def test_every_field_says_where_it_comes_from() -> None:
    made = memory_of(DRAFT, SEEN, SAVED, "embedded@1")
    said = SEEN.turns[1].steps[0].at
    assert (made.formed_at, made.saved_at) == (said, SAVED)
    assert (made.first_observed_at, made.last_observed_at, made.times_observed) == (said, said, 1)
    assert [(e.run, e.generation, e.line, e.step, e.quote) for e in made.evidence] == [
        ("r_7", 3, 3, "r_7#t2.1", "Amy and I are  casual"),
        ("r_7", 3, 1, "r_7#t1.1", "email to Amy"),
    ]
    assert (made.owner, made.project, made.project_key) == ("noor", "noor/mail", "git.example/noor/mail")
    assert (made.maker, made.trust, made.state) == ("embedded@1", Trust.PERSON, State.ACTIVE)
    assert "> No, Amy and I are  casual, be friendly" in made.source_chunk
    for name in ("type", "title", "content", "category", "scope", "confidence", "reasoning", "alternatives"):
        assert getattr(made, name) == getattr(DRAFT, name)
    assert (made.related_entities, made.target_agents) == (DRAFT.mentions, DRAFT.target_agents)


def test_the_same_words_are_the_same_memory_however_they_were_worded() -> None:
    made = memory_of(DRAFT, SEEN, SAVED, "embedded@1")
    quotes = (Quote(Spot(2, 1), "amy and I are casual"),)
    again = memory_of(replace(DRAFT, title="Amy: casual", quotes=quotes), SEEN, START, "model@2")
    assert made.id == again.id


@pytest.mark.parametrize("change", [{"owner": "kim"}, {"run": "r_8"}])
def test_another_run_or_owner_is_another_memory(change: dict[str, str]) -> None:
    made = memory_of(DRAFT, SEEN, SAVED, "m@1")
    assert memory_of(DRAFT, replace(SEEN, **change), SAVED, "m@1").id != made.id
    assert memory_of(replace(DRAFT, type=Type.DECISION), SEEN, SAVED, "m@1").id != made.id


def test_yes_said_twice_is_two_memories() -> None:
    seen = window(run(prompt("cents?"), agent("Store cents?"), prompt("yes"), agent("And UTC?"), prompt("yes")))
    cents = replace(DRAFT, title="Store prices in cents", quotes=(Quote(Spot(2, 1), "yes"),))
    utc = replace(DRAFT, title="Store times in UTC", quotes=(Quote(Spot(3, 1), "yes"),))
    assert memory_of(cents, seen, SAVED, "m@1").id != memory_of(utc, seen, SAVED, "m@1").id


@pytest.mark.parametrize(("confidence", "state"), [(40, State.HELD), (59, State.HELD), (60, State.ACTIVE)])
def test_confidence_decides_the_state(confidence: int, state: State) -> None:
    assert memory_of(replace(DRAFT, confidence=confidence), SEEN, SAVED, "m@1").state is state


def test_without_a_time_of_its_own_a_step_has_the_windows() -> None:
    timeless = replace(SEEN.turns[1], steps=tuple(replace(step, at=None) for step in SEEN.turns[1].steps))
    seen = replace(SEEN, turns=(SEEN.turns[0], timeless))
    assert memory_of(DRAFT, seen, SAVED, "m@1").formed_at == SEEN.turns[0].steps[-1].at


def test_e47_a_run_nobody_typed_in_gives_memories_of_agent_trust() -> None:
    seen = window(run(prompt("nightly import"), shell("import", "lock", error=True), shell("import --wait", "ok")))
    quotes = (Quote(Spot(1, 3), "import --wait"),)
    draft = Draft(Type.LEARNING, "The nightly import needs --wait", "It fails on the lock otherwise.", quotes, "", 80)
    made = memory_of(draft, replace(seen, headless=True), SAVED, "m@1")
    assert (made.trust, made.state) == (Trust.AGENT, State.ACTIVE)
