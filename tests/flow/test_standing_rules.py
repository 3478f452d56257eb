"""Standing rules are given whenever a context begins, and not again in it; nothing else is said there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.home.journal import memory_line
from memlane.app.recall import HookAnswer
from memlane.app.recall.start_rules import BEGUN
from memlane.domain import Memory, Occasion, Outcome, Scope
from memlane.surfaces.api.http import HttpRequest
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.web.pages import memory as one_memory
from tests.flow.homes import a_lane
from tests.flow.test_many_memories import drawn
from tests.flow.test_recall import ask, context

RULE = "Never commit for Rob"
TABS = "Indent with tabs, also in YAML examples"
NOTE = "Add every new workspace package to the Dockerfile COPY list"
STANDING = Occasion(always=True)


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(RULE, tmp_path / "home", occasion=STANDING)
        opened.memories.remember(NOTE, tmp_path / "home")
        yield opened


def begin(lane: Lane, source: str = "startup", **more: object) -> str:
    return context(ask(lane, "", event="SessionStart", source=source, **more))


def rules(lane: Lane) -> list[str]:
    """As they are given to another run, in their order."""
    lines = begin(lane, session_id="another").splitlines()
    return [line.partition("] ")[2] for line in lines if line.startswith("[m_")]


def changed(lane: Lane, title: str, **fields: object) -> Memory:
    memory = next(one for one in lane.memories.all() if one.title == title)
    after = replace(memory, **fields)  # type: ignore[arg-type]
    lane.acts.writer.write([memory_line(after)])
    return after


def test_a_run_starts_with_its_standing_rules_and_with_no_other_title(lane: Lane) -> None:
    answer = ask(lane, "", event="SessionStart", source="startup")
    told = context(answer)
    assert (RULE in told, NOTE in told) == (True, False)
    assert "1 more note is kept" in told
    assert str(answer.output["systemMessage"]).startswith("Lane: 1 standing rule, ")
    assert lane.recall.why(lane.config.person_home).shown[0].memory.title == RULE


def test_without_a_standing_rule_it_is_silent(lane: Lane) -> None:
    (rule,) = [one for one in lane.memories.all() if one.always]
    lane.memories.make_standing([rule.id], on=False)
    answer = ask(lane, "", event="SessionStart", source="startup")
    assert (answer.output, answer.recall and answer.recall.why) == ({}, "no standing rules here")


@pytest.mark.parametrize(("source", "given"), [("compact", True), ("clear", True), ("resume", False)])
def test_they_are_given_again_where_the_context_is_new(lane: Lane, source: str, given: bool) -> None:
    begin(lane)
    assert (RULE in begin(lane, source)) is given


def test_a_prompt_does_not_repeat_a_rule_that_was_given_until_the_context_is_new_without_it(lane: Lane) -> None:
    begin(lane)
    again = ask(lane, "should I commit this for Rob?")
    assert (again.output, again.recall and again.recall.why) == ({}, "already shown in this run")
    (rule,) = [one for one in lane.memories.all() if one.always]
    lane.memories.make_standing([rule.id], on=False)
    begin(lane, "compact")
    assert RULE in context(ask(lane, "should I commit this for Rob?"))


def test_rules_do_not_count_against_what_a_run_may_be_told(lane: Lane, tmp_path: Path) -> None:
    for n in range(6):
        lane.memories.remember(f"Standing rule number {n}", tmp_path / "home", occasion=STANDING)
    assert len(rules(lane)) == 7
    for n in range(9):
        lane.memories.remember(f"kubernetes ingress gateway rule {n}: keep annotation {n}", tmp_path / "home")
    asked = [ask(lane, "the kubernetes ingress gateway annotation is lost") for _ in range(3)]
    assert [len(one.recall.shown) for one in asked if one.recall] == [3, 3, 1]


def test_the_projects_own_come_first_then_by_use_and_votes(lane: Lane, tmp_path: Path) -> None:
    lane.memories.remember("Answer in German", tmp_path / "home", scope=Scope.PERSON, occasion=STANDING)
    lane.memories.remember(TABS, tmp_path / "home", occasion=STANDING)
    changed(lane, TABS, times_observed=4)
    assert rules(lane) == [TABS, RULE, "Answer in German"]
    for _ in range(6):
        lane.recall.feedback.judge(next(one.id for one in lane.memories.all() if one.title == TABS), up=False)
    assert rules(lane) == [RULE, TABS, "Answer in German"]


def test_there_are_seven_lines_at_most_and_they_fit(lane: Lane, tmp_path: Path) -> None:
    for n in range(12):
        lane.memories.remember(f"Rule {n} of the house: {'say it in full ' * 8}", tmp_path / "home", occasion=STANDING)
    told = begin(lane)
    assert len(told) <= 1200
    assert 3 <= told.count("\n[m_") <= 7
    assert "more notes are kept" in told


def test_a_long_note_is_given_by_its_title(lane: Lane, tmp_path: Path) -> None:
    whole = f"Because of the audit. {'It was like this. ' * 20}"
    lane.memories.remember(whole, tmp_path / "home", title="Log each change of a price", occasion=STANDING)
    told = begin(lane)
    assert ("Log each change of a price" in told, "It was like this" in told) == (True, False)


def test_what_is_not_sure_not_active_for_others_or_elsewhere_is_not_given(lane: Lane, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    lane.memories.remember("Rule of elsewhere", elsewhere, occasion=STANDING)
    for title, fields in (("Doubtful", {"confidence": 50}), ("For codex", {"target_agents": ("codex",)})):
        lane.memories.remember(title, tmp_path / "home", occasion=STANDING)
        changed(lane, title, **fields)
    lane.memories.pause([lane.memories.remember("Paused", tmp_path / "home", occasion=STANDING).id])
    assert rules(lane) == [RULE]
    assert "Rule of elsewhere" in begin(lane, cwd=str(elsewhere))


def test_a_run_that_is_held_out_is_given_nothing_and_the_record_says_so(tmp_path: Path) -> None:
    with a_lane(tmp_path, LANE_RECALL_HOLDOUT="1.0") as lane:
        lane.memories.remember(RULE, tmp_path / "home", occasion=STANDING)
        answer = ask(lane, "", event="SessionStart", source="startup")
        assert answer.output == {}
        assert answer.recall is not None
        assert (answer.recall.outcome, answer.recall.holdout) == (Outcome.SHOWN, True)


def test_making_it_standing_is_one_act_that_can_be_taken_back(lane: Lane) -> None:
    note = next(one for one in lane.memories.all() if one.title == NOTE)
    acted = lane.memories.make_standing([note.id], on=True)
    assert [memory.always for memory in acted.after] == [True]
    assert lane.memories.make_standing([note.id], on=True).act == ""
    lane.acts.undo(lane.acts.get(acted.act))
    assert not lane.memories.get(note.id).always
    assert rules(lane) == [RULE]


def test_a_rule_that_a_person_teaches_for_everything_stands_from_the_next_run_on(lane: Lane) -> None:
    taught = ask(lane, "from now on answer in German")
    assert taught.taught is not None
    lane.recall.keep_taught(taught.taught)
    assert any("German" in rule for rule in rules(lane))
    tied = ask(lane, "from now on, before you deploy, ask me")
    assert tied.taught is not None
    (kept,) = lane.recall.keep_taught(tied.taught)
    assert not kept.always


def test_the_web_list_has_a_filter_for_them_and_a_memorys_page_a_switch(lane: Lane) -> None:
    listed = drawn(lane, "/memories?standing=yes").decode()
    assert (RULE in listed, NOTE in listed) == (True, False)
    rule, note = (next(one for one in lane.memories.all() if one.title == title) for title in (RULE, NOTE))
    assert "Not a standing rule" in drawn(lane, f"/m/{rule.id}").decode()
    assert "Make it a standing rule" in drawn(lane, f"/m/{note.id}").decode()
    want = RouteRequest({"memory": note.id}, {"always": "yes"}, HttpRequest("POST", "", {}, {}, (), None))
    assert one_memory.edit(lane, want).says == "Saved."
    assert lane.memories.get(note.id).always


# -- a start that is never answered, or comes beside the first prompt -------------------------------------------------


def call(lane: Lane, event: str, words: str = "", **more: object) -> HookAnswer:
    """As the daemon does it: what went out is written down, the rules that went out with a prompt too."""
    given = {"session_id": "beside", "cwd": str(lane.config.person_home), "prompt": words, **more}
    answer = lane.recall.hooked("copilot-cli", event, given)
    for recall in filter(None, (answer.ahead, answer.recall)):
        lane.recall.keep(recall)
    return answer


def seen(answer: HookAnswer) -> str:
    return str(answer.output.get("additionalContext", ""))


def test_a_prompt_whose_start_was_never_answered_brings_the_rules_and_none_of_them_twice(lane: Lane) -> None:
    told = seen(call(lane, "UserPromptSubmit", "should I commit this for Rob?"))
    assert told.count(RULE) == 1
    assert call(lane, "UserPromptSubmit", "should I commit this for Rob?").output == {}


def test_a_start_that_comes_after_its_first_prompt_repeats_nothing(lane: Lane) -> None:
    first = seen(call(lane, "UserPromptSubmit", "add another workspace package to the Dockerfile"))
    assert (RULE in first, NOTE in first) == (True, True)
    start = call(lane, "SessionStart", source="new")
    assert (start.output, start.recall and start.recall.why) == ({}, BEGUN)
    assert call(lane, "UserPromptSubmit", "add another workspace package to the Dockerfile").output == {}


def test_without_rules_too_a_late_start_lets_no_note_be_told_again(lane: Lane) -> None:
    (rule,) = [one for one in lane.memories.all() if one.always]
    lane.memories.make_standing([rule.id], on=False)
    about = "add another workspace package to the Dockerfile"
    assert NOTE in seen(call(lane, "UserPromptSubmit", about))
    call(lane, "SessionStart", source="new")
    assert call(lane, "UserPromptSubmit", about).output == {}


def test_a_start_that_was_answered_too_late_is_made_up_for_by_the_next_prompt(lane: Lane) -> None:
    given = {"session_id": "late", "cwd": str(lane.config.person_home), "source": "startup"}
    answer = lane.recall.hooked("codex", "SessionStart", given)
    assert answer.recall is not None
    lane.recall.keep(replace(answer.recall, outcome=Outcome.TOO_SLOW, shown=()))
    prompted = lane.recall.hooked("codex", "UserPromptSubmit", {**given, "prompt": "yes"})
    assert RULE in str(prompted.output)
