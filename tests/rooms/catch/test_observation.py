"""Seen again: the same lesson in other words is one Memory, a near one is not, and what an observation is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.catch.observation import (
    CERTAIN,
    confidence_after,
    one_more,
    outdated,
    repeats,
    same_in_run,
    same_lesson,
    state_after,
)
from memlane.claims import same_claim
from memlane.domain import Evidence, Memory, Scope, State, Trust, Type
from memlane.embed import EmbedderSpec, embedder
from tests.rooms.catch.lessons import DIFFERENT, SAME

AT = datetime(2026, 11, 14, 10, tzinfo=UTC)
Alike = Callable[[str, str], bool]
CHOSEN = 40  # pairs that were looked at while the thresholds were chosen


def lesson(written: str, *, run: str = "r_1", project: str = "noor/tides", **changes: object) -> Memory:
    title, _, content = written.partition(" | ")
    evidence = (Evidence(run, 1, 3, f"{run}#t1.1", title),)
    made = Memory(f"m_{run}", "noor", Type.LEARNING, title, content, AT, AT, AT, AT, evidence=evidence)
    return replace(made, project=project, project_key=project, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def alike() -> Iterator[Alike]:
    table = embedder(EmbedderSpec(), {})

    def cosine(one: str, other: str) -> float:
        both = table.passages([lesson(one).text, lesson(other).text])
        return float(both[0] @ both[1])

    yield lambda one, other: same_lesson(lesson(one, run="r_2"), [(lesson(other), cosine(one, other))]) is not None
    table.close()


def found(pairs: Sequence[tuple[str, str]], alike: Alike) -> int:
    return sum(alike(one, other) and alike(other, one) for one, other in pairs)


def test_what_is_near_but_different_is_never_one_memory(alike: Alike) -> None:
    wrong = [pair for pair in DIFFERENT if alike(*pair) or alike(*reversed(pair))]
    assert wrong == []


def test_no_lesson_is_taken_for_another_lesson_of_the_list(alike: Alike) -> None:
    firsts = [one for one, _other in SAME]
    assert [pair for pair in combinations(firsts[::3], 2) if alike(*pair)] == []


def test_most_paraphrases_are_seen_as_one_lesson(alike: Alike) -> None:
    """Precision first, 98 of 100 at least; then what was measured, on all pairs and on those that chose nothing."""
    right, unseen = found(SAME, alike), found(SAME[CHOSEN:], alike)
    wrong = found(DIFFERENT, alike)
    assert right / (right + wrong) >= 0.98
    assert right >= 53
    assert unseen >= 18


def test_words_alone_do_not_join_three_mails_for_friday(alike: Alike) -> None:
    """E4: only somebody who understands them sees one habit. The agent and the model say so with `same_as`."""
    said = ("push the reply to Dana to Friday", "let's leave the invoice mail until Friday", "Friday for this one too")
    assert [pair for pair in combinations(said, 2) if alike(*pair)] == []


@pytest.mark.parametrize(
    ("known", "believed"),
    [
        (lesson("Tide tables are rounded to the minute | Nobody reads seconds."), True),
        (lesson("Tables of tides have whole minutes | Never seconds."), True),
        (lesson("The person wants to know if the comment is accurate"), False),
        (lesson("Tide tables are rounded to the minute", project="noor/charts"), False),
        (lesson("Tide tables are rounded to the minute", project="noor/charts", scope=Scope.PERSON), True),
        (lesson("Tide tables are rounded to the minute", state=State.SUPERSEDED), False),
        (None, False),
    ],
)
def test_a_reader_who_names_a_memory_is_believed_where_it_holds_and_says_something_alike(
    known: Memory | None, believed: bool
) -> None:
    seen = lesson("The person wants tide tables rounded to whole minutes", run="r_2")
    assert one_more(known, seen) == (known if believed else None)


@pytest.mark.parametrize(
    ("known", "seen", "believed"),
    [
        ({}, {}, True),
        ({"state": State.HELD}, {}, True),
        ({"state": State.PAUSED}, {}, False),  # a person has it out of the way
        ({}, {"state": State.HELD}, False),  # nothing stands in its place then
        ({}, {"trust": Trust.AGENT}, False),  # an agent's word against the person's
        ({"trust": Trust.TOOL}, {"trust": Trust.AGENT}, True),
        ({"last_observed_at": AT + timedelta(days=1)}, {}, False),  # said since: an older run was read later
        ({"id": "m_mine"}, {}, False),  # a person answers for it
    ],
)
def test_a_reader_who_names_what_a_lesson_makes_wrong_is_believed_where_it_is_the_later_and_no_weaker_word(
    known: dict[str, object], seen: dict[str, object], believed: bool
) -> None:
    before = replace(lesson("Tide tables are rounded to the minute"), **known)  # type: ignore[arg-type]
    after = lesson("Tide tables show seconds", run="r_2", **seen)
    assert outdated(before, after, {"m_mine"}.__contains__) == (before if believed else None)
    assert outdated(None, after, {"m_mine"}.__contains__) is None


TURNED = (
    ("never", lambda title: f"Never {title[0].lower()}{title[1:]}"),
    ("not", lambda title: f"It is not true that: {title}"),
    ("word", lambda title: f"{title} in Zanzibar"),
    ("number", lambda title: f"{title} 17 times"),
    ("flag", lambda title: f"{title} with --dry-run"),
    ("file", lambda title: f"{title} in src/other/place.py"),
)


@pytest.mark.parametrize(("name", "turned"), TURNED, ids=[name for name, _ in TURNED])
def test_a_lesson_that_was_turned_is_another_one_however_near_it_is(name: str, turned: Callable[[str], str]) -> None:
    for pair in (*SAME, *DIFFERENT):
        for written in pair:
            title, _, content = written.partition(" | ")
            said = turned(title)
            if name == "never" and any(no in title.lower().split() for no in ("never", "no", "not", "without")):
                continue
            assert not same_claim(title, f"{title}\n{content}", said, f"{said}\n{content}"), said


def test_words_of_an_agent_that_stand_beside_a_lesson_are_not_the_lesson() -> None:
    wide = lesson("Use pnpm | The person said: “use pnpm” Before that the agent had said: “In the docs folder too?”")
    narrow = lesson("Use pnpm in the docs folder | The person said: “use pnpm in the docs folder”", run="r_2")
    assert same_lesson(narrow, [(wide, 0.99)]) is None


@given(st.sampled_from([one for pair in SAME for one in pair]))
def test_every_lesson_says_what_it_says(written: str) -> None:
    memory = lesson(written)
    assert same_lesson(replace(memory, id="m_2"), [(memory, 1.0)]) is memory


def test_a_lesson_of_another_project_is_another_one_unless_it_is_the_persons() -> None:
    known = lesson(SAME[0][0], project="noor/other")
    seen = lesson(SAME[0][1], run="r_2")
    assert same_lesson(seen, [(known, 0.95)]) is None
    for scope in (Scope.PERSON, Scope.GLOBAL):
        everywhere = replace(known, scope=scope)
        assert same_lesson(seen, [(everywhere, 0.95)]) is everywhere


def test_the_type_may_differ_and_the_owner_may_not() -> None:
    known, seen = lesson(SAME[0][0]), lesson(SAME[0][1], run="r_2", type=Type.CORRECTION)
    assert same_lesson(seen, [(known, 0.95)]) is known
    assert same_lesson(replace(seen, owner="kim"), [(known, 0.95)]) is None


def test_nearness_is_needed_too() -> None:
    assert same_lesson(lesson(SAME[0][1], run="r_2"), [(lesson(SAME[0][0]), 0.3)]) is None


def test_what_was_superseded_is_not_observed() -> None:
    known = lesson(SAME[0][0], state=State.SUPERSEDED)
    assert same_lesson(lesson(SAME[0][1], run="r_2"), [(known, 0.95)]) is None


# -- what one more time makes of it -----------------------------------------------------------------------------------


def test_a_held_one_becomes_active_when_another_run_says_so_too() -> None:
    held = lesson(SAME[4][0], state=State.HELD, confidence=45)
    assert state_after(held, lesson(SAME[4][1], run="r_2")) is State.ACTIVE
    assert confidence_after(held, lesson(SAME[4][1], run="r_2", confidence=45)) >= 60


def test_the_same_run_once_more_changes_nothing() -> None:
    held = lesson(SAME[4][0], state=State.HELD, confidence=45)
    assert state_after(held, lesson(SAME[4][1])) is State.HELD
    assert confidence_after(held, lesson(SAME[4][1])) == 45


@pytest.mark.parametrize("who", ["known", "seen"])
def test_outside_text_makes_nothing_active_however_often_it_is_read(who: str) -> None:
    held, seen = lesson(SAME[4][0], state=State.HELD), lesson(SAME[4][1], run="r_2")
    if who == "known":
        held = replace(held, trust=Trust.OUTSIDE)
    else:
        seen = replace(seen, trust=Trust.OUTSIDE)
    assert state_after(held, seen) is State.HELD


def test_a_tools_words_are_promoted_unless_they_tell_somebody_what_to_do() -> None:
    told = lesson("Run scripts/boot.sh before the tests", state=State.HELD, trust=Trust.TOOL)
    fact = lesson("The import fails when the lock file is missing", state=State.HELD, trust=Trust.TOOL)
    assert state_after(told, replace(told, evidence=(Evidence("r_2", 1, 1, "", ""),))) is State.HELD
    assert state_after(fact, replace(fact, evidence=(Evidence("r_2", 1, 1, "", ""),))) is State.ACTIVE


@pytest.mark.parametrize("state", [state for state in State if state is not State.HELD])
def test_only_a_held_one_changes_its_state(state: State) -> None:
    assert state_after(lesson(SAME[4][0], state=state), lesson(SAME[4][1], run="r_2")) is state


@given(st.lists(st.integers(0, 100), max_size=40), st.integers(40, 100))
def test_confidence_never_falls_and_never_passes_its_bound(seen: list[int], first: int) -> None:
    memory = lesson(SAME[4][0], confidence=first)
    for n, sure in enumerate(seen):
        grown = confidence_after(memory, lesson(SAME[4][1], run=f"r_s{n}", confidence=sure))
        assert memory.confidence <= grown <= max(CERTAIN, first)
        memory = replace(memory, confidence=grown)


# -- requests ---------------------------------------------------------------------------------------------------------

ONE_WISH = (
    "please write release notes out of the merged changes",
    "can you put together the release notes from what was merged since v1.2",
    "draft the release notes for 1.4, go through everything merged",
)
OTHER_WISHES = (
    "run the tests and commit",
    "fix the failing test please",
    "the release build fails, look at the log",
    "merge the two branches and delete the old one",
    "write a note to Dana about the invoice",
    "yes",
)


def test_a_wish_said_three_times_is_one_wish() -> None:
    assert all(repeats(one, other) for one, other in combinations(ONE_WISH, 2))


@pytest.mark.parametrize("other", OTHER_WISHES)
def test_what_every_request_is_made_of_is_no_repetition(other: str) -> None:
    assert not any(repeats(one, other) or repeats(other, one) for one in ONE_WISH)
    assert not repeats(other, other) or len(other) > 30


# -- twice in one run -------------------------------------------------------------------------------------------------


def quoting(title: str, quote: str, step: str = "r_1#t1.1", id: str = "m_2") -> Memory:
    return lesson(title, id=id, evidence=(Evidence("r_1", 1, 3, step, quote),))


SENTENCE = "use pnpm here and keep the changelog by hand"


def test_one_sentence_that_is_worded_twice_is_one_lesson() -> None:
    known = quoting("The person wants pnpm for packages", SENTENCE, id="m_1")
    assert same_in_run(quoting("Use pnpm for all packages", "use pnpm here"), [known]) is known


def test_a_preference_and_the_rule_that_follows_from_it_are_one_lesson() -> None:
    sentence = "I prefer tabs over spaces, so always use tabs"
    known = quoting("The person prefers tabs over spaces", sentence, id="m_1")
    assert same_in_run(quoting("Always indent code with tabs", sentence), [known]) is known


def test_one_sentence_can_teach_two_things() -> None:
    known = quoting("Use pnpm in this project", SENTENCE, id="m_1")
    assert same_in_run(quoting("The changelog is kept by hand", SENTENCE), [known]) is None


def test_the_same_words_that_are_turned_round_are_another_lesson() -> None:
    known = quoting("Use pnpm for packages", "pnpm", id="m_1")
    assert same_in_run(quoting("Never use pnpm for packages", "pnpm"), [known]) is None


def test_a_paraphrase_elsewhere_in_the_run_is_the_same_lesson_and_needs_no_model() -> None:
    known = quoting("Always run the linter before a commit", "always run the linter before a commit", id="m_1")
    again = quoting("Run the linter before every commit", "run the linter before every commit", "r_1#t9.1")
    assert same_in_run(again, [known]) is known


def test_better_evidence_in_the_same_run_makes_a_held_one_active() -> None:
    held = lesson(SAME[4][0], state=State.HELD, trust=Trust.AGENT, confidence=50)
    theirs = lesson(SAME[4][1], trust=Trust.PERSON, confidence=78)
    assert (state_after(held, theirs), confidence_after(held, theirs)) == (State.ACTIVE, 78)
    assert state_after(held, replace(theirs, state=State.HELD)) is State.HELD
    assert state_after(replace(held, trust=Trust.OUTSIDE), theirs) is State.HELD
