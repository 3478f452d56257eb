from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.catch.moment import moments
from memlane.catch.windows.borders import FULL, IDLE, TURNS, UNANSWERED, ClosedWindows, WindowOrigin, closed
from memlane.catch.windows.steps import length
from memlane.catch.windows.triggers import triggers
from memlane.domain import Author, Kind, Project, Signal, Spot, Step, ToolCall, Turn, Window
from tests.examples import examples
from tests.rooms.catch.small_runs import START, agent, call, prompt, run, shell

ABOUT = WindowOrigin("r_1", "u", "claude-code", 1, Project("p", "p"))
LONG = UNANSWERED + IDLE
LARGEST_STEP = 5000  # after trimming
LONGEST = 13 * LARGEST_STEP  # a Trigger is not cut, and it has at most so many Steps


def whole(turns: Sequence[Turn], copied: frozenset[int] = frozenset()) -> ClosedWindows:
    return closed(turns, ABOUT, LONG, copied=copied)


def own(window: Window) -> list[tuple[Spot, Step]]:
    return [each for each in window.steps() if each[0] >= window.first]


def spots(turns: Sequence[Turn]) -> list[Spot]:
    return [Spot(turn.n, step.n) for turn in turns for step in turn.steps]


def chat(count: int, words: str = "words") -> list[Turn]:
    return run(*(step for i in range(count) for step in (prompt(f"ask {i} {words}"), agent(f"say {i} {words}"))))


# -- closed ------------------------------------------------------------------------------------------------------------


def test_a_window_is_closed_when_two_turns_follow_it() -> None:
    turns = chat(TURNS + 2)
    open_still = closed(turns[:-1], ABOUT, timedelta())
    now = closed(turns, ABOUT, timedelta())
    assert open_still == ClosedWindows((), all_closed=False)
    assert [(w.first, w.last) for w in now.windows] == [(Spot(1, 1), Spot(TURNS, 2))]
    assert not now.all_closed


def test_everything_is_closed_when_the_run_was_quiet_for_fifteen_minutes() -> None:
    turns = chat(3)
    assert closed(turns, ABOUT, IDLE - timedelta(seconds=1)).windows == ()
    quiet = closed(turns, ABOUT, IDLE)
    assert [(w.first, w.last) for w in quiet.windows] == [(Spot(1, 1), Spot(3, 2))]
    assert quiet.all_closed


def test_a_call_without_a_result_may_still_be_running() -> None:
    turns = run(prompt("build it"), shell("make everything"))
    assert not closed(turns, ABOUT, IDLE).all_closed
    assert closed(turns, ABOUT, UNANSWERED).all_closed
    answered = run(prompt("build it"), shell("make everything", "built"))
    assert closed(answered, ABOUT, IDLE).all_closed


def test_an_empty_run_has_nothing_to_wait_for() -> None:
    assert closed([], ABOUT, timedelta()) == ClosedWindows((), all_closed=True)


# -- borders -----------------------------------------------------------------------------------------------------------


def test_a_pause_of_fifteen_minutes_ends_a_window_also_inside_a_turn() -> None:
    early = [prompt("one"), agent("two")]
    late = [replace(agent("three"), at=START + timedelta(hours=1)), replace(agent("4"), at=START + timedelta(hours=1))]
    windows = whole(run(*early, *late)).windows
    assert [(w.first, w.last) for w in windows] == [(Spot(1, 1), Spot(1, 2)), (Spot(1, 3), Spot(1, 4))]


def test_times_that_run_backwards_are_no_pause() -> None:
    back = replace(agent("an older record"), at=START - timedelta(hours=2))
    assert len(whole(run(prompt("one"), back, agent("two"))).windows) == 1


def test_what_was_read_stays_a_window_when_the_run_goes_on_without_telling_times() -> None:
    untimed = [replace(t, steps=tuple(replace(s, at=None) for s in t.steps), at=None) for t in chat(6)]
    (read,) = closed(untimed[:3], ABOUT, IDLE).windows
    later = closed(untimed, ABOUT, IDLE, caught=[read.key]).windows
    assert later[0].key == read.key
    assert [(w.first, w.last) for w in later] == [(Spot(1, 1), Spot(3, 2)), (Spot(4, 1), Spot(6, 2))]


def test_a_window_that_was_rewritten_is_another_one() -> None:
    turns = chat(3)
    (read,) = whole(turns).windows
    rewound = [*turns[:2], *run(prompt("x"), agent("y"), prompt("z"), agent("other"), prompt("a"), agent("b"))[2:]]
    rewound[2] = replace(
        rewound[2], steps=tuple(replace(s, native_id="new", at=START + timedelta(minutes=9)) for s in rewound[2].steps)
    )
    (again,) = closed(rewound, ABOUT, LONG, caught=[read.key]).windows
    assert (again.first, again.last) == (read.first, read.last)
    assert again.key != read.key


def test_the_key_tells_nothing_of_words_generation_or_what_was_masked() -> None:
    turns = chat(3)
    masked = [replace(t, steps=tuple(replace(s, text="[masked: x]") for s in t.steps)) for t in turns]
    elsewhere = [replace(t, steps=tuple(replace(s, at=s.at and s.at.astimezone(None)) for s in t.steps)) for t in turns]
    keys = {whole(each).windows[0].key for each in (turns, masked, elsewhere)}
    keys.add(closed(turns, replace(ABOUT, generation=2), LONG).windows[0].key)
    assert len(keys) == 1


def test_a_key_that_is_not_one_of_ours_is_passed_over() -> None:
    turns = chat(2)
    assert closed(turns, ABOUT, LONG, caught=["", "t1.1-t9.9-00", "t1.1-t1.2-nonsense"]) == whole(turns)


@pytest.mark.parametrize("before", range(10, 22))
def test_a_trigger_is_never_cut_apart_wherever_a_window_gets_full(before: int) -> None:
    filler = "x" * 1000
    steps = [prompt("install it"), *(agent(filler) for _ in range(before))]
    steps += [shell("npm ci", filler, error=True), agent(filler), shell("npm install", filler, error=True)]
    steps += [shell("npm install --legacy-peer-deps", "added 300 packages"), *(agent(filler) for _ in range(9))]
    turns = run(*steps)
    (recovery,) = triggers(turns)
    assert recovery.signal is Signal.RECOVERY
    windows = whole(turns).windows
    assert len(windows) > 1
    (holder,) = [w for w in windows if w.triggers]
    assert holder.triggers == (recovery,)
    assert holder.first <= recovery.first
    assert recovery.last <= holder.last


# -- what is in one ----------------------------------------------------------------------------------------------------


def test_the_turn_before_is_context_and_not_caught_again() -> None:
    windows = whole(chat(TURNS + 3)).windows
    assert [str(spot) for spot, _step in windows[1].steps()][:3] == [f"t{TURNS}.1", f"t{TURNS}.2", f"t{TURNS + 1}.1"]
    assert windows[1].first == Spot(TURNS + 1, 1)


def test_context_of_a_long_turn_is_what_was_asked_and_how_it_ended() -> None:
    work = [shell(f"make {i}", "no rule" if i < 4 else "ok" * 900, error=i < 4) for i in range(60)]
    turns = run(prompt("the request"), agent("I will try. " + "x" * 5000 + " So."), *work, agent("x" * 3000), *work)
    for window in whole(turns).windows[2:]:
        context = [step for spot, step in window.steps() if spot < window.first]
        assert context[0].text == "the request"
        assert context[-1].n == window.first.step - 1
        assert sum(1 for step in context if step.call and step.call.error) == 3
        assert any(step.author is Author.AGENT for step in context)
        assert sum(map(length, context)) < FULL / 2


FIELDS = ("person", "before_agent", "before_tools", "before_errors", "next", "next_tools")


def test_a_moment_at_a_border_is_the_same_as_in_the_whole_run() -> None:
    work = [shell(f"make {i}" + " all" * 60, "no rule " * 80, error=i % 7 == 0) for i in range(120)]
    turns = run(prompt("go"), agent("a plan"), *work, agent("y" * 2000), prompt("no, use ninja"), *work, agent("built"))
    windows = whole(turns).windows
    at_once = replace(windows[0], turns=tuple(turns), last=windows[-1].last, beyond=())
    assert len(windows) > 2
    seen = [moment for window in windows for moment in moments(window) if moment.person]
    assert [[getattr(m, name) for name in FIELDS] for m in seen] == [
        [getattr(m, name) for name in FIELDS] for m in moments(at_once)
    ]


def test_a_window_does_not_see_beyond_a_pause() -> None:
    later = replace(agent("an hour later"), at=START + timedelta(hours=1))
    early = whole(run(prompt("one"), agent("two"), later)).windows[0]
    assert early.beyond == ()


def test_nothing_of_ours_is_in_a_window_and_a_turn_of_only_ours_is_gone() -> None:
    brief = Step(2, Author.SYSTEM, Kind.META, 2, "a note from memory", ours=True)
    first = Turn(1, Author.PERSON, (replace(prompt("hello"), n=1, line=1), brief))
    ours = Turn(2, Author.PROGRAM, (replace(prompt("lane catch next", Author.PROGRAM), n=1, line=3, ours=True),))
    third = Turn(3, Author.PERSON, (replace(prompt("go on"), n=1, line=4),))
    (window,) = whole([first, ours, third]).windows
    assert [str(spot) for spot, _step in window.steps()] == ["t1.1", "t3.1"]


def test_copied_turns_are_read_where_they_were_said_and_are_context_here() -> None:
    (window,) = whole(chat(4), copied=frozenset({1, 2})).windows
    assert (window.first, window.last) == (Spot(3, 1), Spot(4, 2))
    assert [turn.n for turn in window.turns] == [2, 3, 4]


def test_turns_found_to_be_copied_after_they_were_read_are_not_read_again() -> None:
    turns = chat(4)
    (read,) = whole(turns).windows
    later = closed(turns, ABOUT, LONG, caught=[read.key], copied={1, 2})
    assert later == ClosedWindows((), all_closed=True)


def test_a_huge_step_keeps_its_head_its_tail_and_its_place() -> None:
    huge = "begin " + "y" * 5_000_000 + " end"
    deep = {"todos": [{"content": "z" * 10_000, "more": [{"a": {"b": {"c": "d" * 10_000}}}]} for _ in range(500)]}
    steps = [prompt(huge), agent(huge), shell("cat big", huge, error=True), call("Write", huge, **deep)]
    turns = run(*steps)
    window = whole(turns).windows[0]
    for step, before in zip((step for _spot, step in window.steps()), turns[0].steps, strict=True):
        assert (step.n, step.line, step.author, step.kind) == (before.n, before.line, before.author, before.kind)
        assert length(step) <= LARGEST_STEP
        for text in (step.text, step.call.result if step.call else ""):
            assert not text or (text.startswith("begin") and text.endswith("end"))


# -- however the bytes come in -----------------------------------------------------------------------------------------

SIZES = st.sampled_from([10, 900, 2400, 9000])
WORDS = st.sampled_from(["go on with the work", "no, use the other one", "wow, exactly what i wanted", "never mind"])
WAITS = st.sampled_from([1] * 20 + [300] * 20 + [899, 900, 4000])  # seconds to the next Step
KINDS = ("person",) + ("agent",) * 4 + ("call",) * 4 + ("stop", "answer", "ours")
COMMANDS = st.sampled_from(["npm ci", "npm install", "git push", "ls"])


@st.composite
def a_step(draw: st.DrawFn) -> Step:
    author = draw(st.sampled_from(KINDS))
    text = "y" * draw(SIZES)
    match author:
        case "person":
            return prompt(draw(WORDS))
        case "call":
            return shell(draw(COMMANDS), text, error=draw(st.booleans()))
        case "stop":
            return Step(0, Author.PERSON, Kind.INTERRUPT, 0, "[stopped]")
        case "answer":
            return Step(0, Author.PERSON, Kind.ANSWER, 0, "not that branch")
        case _:
            return agent(text, ours=author == "ours")


@st.composite
def a_run(draw: st.DrawFn) -> list[Turn]:
    count = draw(st.integers(1, 70))
    steps = draw(st.lists(a_step(), min_size=count, max_size=count))
    at, timed = datetime(2026, 5, 1, tzinfo=UTC), []
    for step in steps:
        at += timedelta(seconds=draw(WAITS))
        timed.append(replace(step, at=at))
    return run(*timed)


def up_to(turns: Sequence[Turn], count: int) -> list[Turn]:
    """What stood in the file when it had so many Steps."""
    found: list[Turn] = []
    for turn in turns:
        steps = turn.steps[: max(0, count)]
        count -= len(steps)
        if steps:
            found.append(replace(turn, steps=steps))
    return found


def arriving(turns: Sequence[Turn], looks: Sequence[int], patience: Sequence[int]) -> dict[str, Window]:
    """Bytes arrive in pieces, and catching looks when each arrives and once more before the next Step is written."""
    times = [step.at for turn in turns for step in turn.steps if step.at is not None]
    read: dict[str, Window] = {}
    for count, waited in zip(looks, patience, strict=False):
        arrived = times[count - 1]
        until_next = (times[count] - arrived) if count < len(times) else LONG
        for quiet in (timedelta(), min(until_next, timedelta(seconds=waited))):
            for window in closed(up_to(turns, count), ABOUT, quiet, caught=list(read)).windows:
                read.setdefault(window.key, window)
    for window in closed(turns, ABOUT, LONG, caught=list(read)).windows:
        read.setdefault(window.key, window)
    return read


@given(a_run(), st.data())
@settings(max_examples=examples(15), deadline=None)
def test_however_the_bytes_come_in_the_same_windows_are_read(turns: list[Turn], data: st.DataObject) -> None:
    count = len(spots(turns))
    looks = sorted(data.draw(st.sets(st.integers(1, count), max_size=12)))
    patience = data.draw(st.lists(st.sampled_from([1, 600, 900, 5000]), min_size=len(looks), max_size=len(looks)))
    assert arriving(turns, looks, patience) == {window.key: window for window in whole(turns).windows}


@pytest.mark.parametrize("before", range(4, 16))
def test_a_trigger_that_ends_after_a_pause_moves_no_border_of_what_was_read(before: int) -> None:
    filler = "x" * 1000
    steps = [prompt("install it"), *(agent(filler) for _ in range(before))]
    steps += [shell("npm ci", filler, error=True), *(agent(filler) for _ in range(4))]
    later = START + timedelta(hours=3)
    turns = run(*steps, replace(shell("npm install --force", "added"), at=later))
    assert [trigger.signal for trigger in triggers(turns)] == [Signal.RECOVERY]
    assert arriving(turns, [len(steps)], [5000]) == {window.key: window for window in whole(turns).windows}


@given(a_run(), st.sets(st.integers(1, 4)))
@settings(max_examples=examples(15), deadline=None)
def test_every_step_is_in_one_window_and_windows_overlap(turns: list[Turn], copied: set[int]) -> None:
    windows = whole(turns, frozenset(copied)).windows
    kept = [Spot(t.n, s.n) for t in turns for s in t.steps if not s.ours and t.n not in copied]
    assert [spot for window in windows for spot, _step in own(window)] == kept
    usable = [Spot(t.n, s.n) for t in turns for s in t.steps if not s.ours]
    for window in windows:
        before = [spot for spot in usable if spot < window.first]
        context = [spot for spot, _step in window.steps() if spot < window.first]
        assert context[-1:] == before[-1:]
        assert not any(step.ours for _spot, step in window.steps())


@given(a_run())
@settings(max_examples=examples(15), deadline=None)
def test_no_window_is_too_long_and_only_a_pause_cuts_a_trigger(turns: list[Turn]) -> None:
    windows = whole(turns).windows
    kept = [replace(t, steps=tuple(s for s in t.steps if not s.ours)) for t in turns]
    found = triggers([turn for turn in kept if turn.steps])
    for window in windows:
        size, numbers = sum(length(s) for _p, s in own(window)), {spot.turn for spot, _s in own(window)}
        held = [t for t in found if t.first < t.last and window.first <= t.last and t.first <= window.last]
        assert size <= FULL or (held and size <= LONGEST)
        assert len(numbers) <= TURNS or held
    times = {Spot(t.n, s.n): s.at for t in turns for s in t.steps}
    for one, other in pairwise(windows):
        cut = [t for t in found if t.first <= one.last and other.first <= t.last]
        inside = [at for t in cut for spot, at in times.items() if t.first <= spot <= t.last and at]
        assert not cut or any(b - a >= IDLE for a, b in pairwise(sorted(inside)))


@given(a_run(), st.data())
@settings(max_examples=examples(15), deadline=None)
def test_a_trigger_does_not_change_when_the_run_goes_on(turns: list[Turn], data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(spots(turns))))
    part = up_to(turns, count)
    ended = Spot(part[-1].n, part[-1].steps[-1].n)
    assert set(triggers(part)) == {trigger for trigger in triggers(turns) if trigger.last <= ended}


def test_a_result_that_comes_late_moves_no_border() -> None:
    turns = run(prompt("build"), shell("make"), agent("built"), every=timedelta(minutes=20))
    answered = tuple(replace(s, call=s.call and ToolCall("Bash", {}, "ok")) for s in turns[0].steps)
    done = [replace(turns[0], steps=answered)]
    assert closed(up_to(turns, 2), ABOUT, timedelta(minutes=20)).windows == ()
    assert [(w.first, w.last) for w in whole(turns).windows] == [(w.first, w.last) for w in whole(done).windows]


def test_a_window_that_ends_with_an_unanswered_call_is_another_one_when_the_answer_is_there() -> None:
    waiting = whole(run(prompt("build"), shell("make"))).windows[0]
    answered = run(prompt("build"), shell("make", "built"))
    failed = run(prompt("build"), shell("make", error=True))
    assert waiting.key not in {whole(answered).windows[0].key, whole(failed).windows[0].key}
    assert [w.key for w in closed(answered, ABOUT, LONG, caught=[waiting.key]).windows] != [waiting.key]
