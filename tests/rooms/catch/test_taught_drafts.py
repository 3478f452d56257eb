"""A teaching in a Window: whoever reads it, the person's words make one Memory."""

from __future__ import annotations

from dataclasses import replace

from memlane.catch import Bench, NewMemory, NewObservation, Omission, judge, taught_in
from memlane.catch.teachings import Plainness, TaughtAt, memory_of_teaching, teachings
from memlane.domain import Draft, Memory, Project, Quote, Spot, State, Type, Window
from memlane.flow.tools import unresolved
from memlane.gate import Gate
from tests.rooms.catch.small_runs import START, agent, prompt, run, window

WORDS = "please remember: releases of the shop are cut on Thursdays only"
PROJECT = Project("noor/shop", "git.example/noor/shop")
SEEN = replace(
    window(run(prompt(WORDS), agent("Understood."), prompt("go on"), agent("Done."))),
    run="r_7",
    owner="noor",
    project=PROJECT,
)
READERS = Draft(
    Type.DECISION,
    "The shop is only released on Thursdays",
    "Releases of the shop happen on Thursdays and on no other day.",
    (Quote(Spot(1, 1), "releases of the shop are cut on Thursdays only"),),
    "the person said so",
    85,
)


def bench(*taught: Memory) -> Bench:
    known = {memory.id: memory for memory in taught}
    return Bench(Gate(), START, "model@1", known.get, lambda _text, _also: (), unresolved, taught=taught)


def at_the_prompt(state: State = State.ACTIVE) -> Memory:
    (one,) = teachings(WORDS)
    return replace(memory_of_teaching(one, TaughtAt("noor", "r_7", PROJECT, START)), state=state)


def test_it_is_a_memory_of_the_person_whoever_reads() -> None:
    (verdict,) = judge(list(taught_in(SEEN)), SEEN, bench())
    assert isinstance(verdict, NewMemory)
    assert verdict.memory.id == at_the_prompt().id
    assert (verdict.memory.maker, verdict.memory.state) == ("taught@2", State.ACTIVE)


def test_in_a_window_only_what_is_plain_is_taught() -> None:
    unclear = "The nightly job is run by the ops account."
    assert [one.plainness for one in teachings(unclear)] == [Plainness.UNCLEAR]
    seen = window(run(prompt(unclear), agent("Understood.")))
    assert not [*taught_in(seen)]
    assert [draft.title for draft in taught_in(seen, lambda _memory: True)] == [unclear]  # kept at the prompt


def test_what_was_kept_at_the_prompt_learns_its_place() -> None:
    (verdict,) = judge(list(taught_in(SEEN)), SEEN, bench(at_the_prompt()))
    assert isinstance(verdict, NewObservation)
    assert verdict.evidence.step == "r_7#t1.1"


def test_a_readers_memory_of_the_same_words_joins_it() -> None:
    for known in ((), (at_the_prompt(),)):
        first, second = judge([*taught_in(SEEN), READERS], SEEN, bench(*known))
        assert isinstance(first, NewMemory | NewObservation)
        assert isinstance(second, NewObservation | Omission)


def test_what_was_taken_back_is_not_made_again_by_a_reader() -> None:
    verdicts = judge([*taught_in(SEEN), READERS], SEEN, bench(at_the_prompt(State.FORGOTTEN)))
    assert [type(verdict) for verdict in verdicts] == [Omission, Omission]


def test_a_lesson_about_something_else_in_the_same_prompt_stays_its_own() -> None:
    whole = f"{WORDS}. The invoice mailer retries five times and then gives up, which cost us a customer last year"
    seen: Window = replace(SEEN, turns=replace(window(run(prompt(whole), agent("Understood."))), run="r_7").turns)
    other = replace(
        READERS,
        title="The invoice mailer gives up after five retries",
        content="It cost a customer, so failures have to be seen.",
        quotes=(Quote(Spot(1, 1), whole),),
    )
    verdicts = judge([*taught_in(seen), other], seen, bench())
    assert [type(verdict) for verdict in verdicts] == [NewMemory, NewMemory]


def test_nobody_teaches_in_a_run_where_nobody_types() -> None:
    assert list(taught_in(replace(SEEN, headless=True))) == []
