"""Where Pi keeps its sessions, what a name tells, who wrote what, and what a session says about itself."""

from __future__ import annotations

import json
from pathlib import Path, PurePath

import pytest

from memlane.agents.agent import Peek, Surroundings, Transcript
from memlane.agents.pi.source import Pi
from memlane.domain import Author, Kind, Relation, Tokens
from tests.rooms.agents.mutations import lines_of
from tests.rooms.agents.pi_sessions import (
    ALL,
    CHILD,
    FORKED,
    PATHS,
    RECORDED,
    VERSION_1,
    VERSION_2,
    agent,
    call,
    message,
    read,
    session,
    steps,
    typed,
    user,
)

TIME = "2026-11-15T22-37-43-115Z"
BRIEF = '<lane-memory nonce="abc123">\nDeploy with make ship.\n</lane-memory>'


# -- where -----------------------------------------------------------------------------------------------------------


def test_only_folders_of_sessions_are_places() -> None:
    home = Path("/home/dev")
    assert Pi().places(Surroundings(home, {})) == (home / ".pi" / "agent" / "sessions",)
    moved = {"PI_CODING_AGENT_DIR": "/srv/pi", "PI_CODING_AGENT_SESSION_DIR": "~/talks"}
    assert Pi().places(Surroundings(home, moved)) == (home / "talks", Path("/srv/pi/sessions"))


@pytest.mark.parametrize(
    ("name", "native_id"),
    [
        (f"--home-dev-shop--/{TIME}_{RECORDED}.jsonl", RECORDED),
        (f"{TIME}_{RECORDED}.jsonl", RECORDED),  # a folder of one's own choice is flat
        (f"--home-dev-shop--/{TIME}_nightly.jsonl", f"{TIME}_nightly"),  # an id somebody chose, and may choose again
    ],
)
def test_a_session_is_known_by_its_name(name: str, native_id: str) -> None:
    assert Pi().recognise(PurePath(name)) == Transcript(native_id)


@pytest.mark.parametrize(
    "name",
    [
        f"--home-dev-shop--/{RECORDED}.jsonl",
        f"--home-dev-shop--/{TIME}_{RECORDED}.html",
        f"--home-dev-shop--/{TIME}_.jsonl",
        "--home-dev-shop--/session.jsonl",
        f"--home-dev-shop--/elsewhere/{TIME}_{RECORDED}.jsonl",
        "auth.json",
    ],
)
def test_nothing_else_is_a_session(name: str) -> None:
    assert Pi().recognise(PurePath(name)) is None


def test_a_session_in_the_folder_of_another_is_its_child() -> None:
    folder = f"--home-dev-shop--/{TIME}_{RECORDED}"
    deep = Pi().recognise(PurePath(f"{folder}/check/run-0/session.jsonl"))
    assert deep == Transcript(CHILD, RECORDED, Relation.SUBAGENT)
    named = Pi().recognise(PurePath(f"{folder}/run-1/{TIME}_{FORKED}.jsonl"))
    assert named == Transcript(FORKED, RECORDED, Relation.SUBAGENT)
    assert Pi().recognise(PurePath(f"{folder}/check/run-0/events.jsonl")) is None


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem[:24])
def test_the_first_line_tells_when_where_and_which(path: Path) -> None:
    peek = Pi().peek(lines_of(path.read_bytes()))
    assert peek.started is not None
    assert peek.cwd == "/home/dev/shop"
    assert len(peek.may_be) == 1


def test_peeking_survives_broken_first_lines() -> None:
    assert Pi().peek(lines_of(b"\xff\xfe{\n" + session())).cwd == "/home/dev"
    assert Pi().peek(lines_of(b"nothing\n")) == Pi().peek([]) == Peek()


# -- who wrote what ----------------------------------------------------------------------------------------------------


def test_what_a_person_typed_is_a_turn_also_what_they_steered_in() -> None:
    turns, facts = read(RECORDED)
    assert [turn.person.partition(" @@")[0] for turn in turns] == [
        "write the price",
        "/skill:rounding of the totals",
        "slowly",
        "no, round half up",
        "wait long",
        "instead go on from there",
        "after it",
    ]
    assert facts.headless is False


def test_a_skill_is_what_was_typed_and_not_its_text() -> None:
    _, facts = read(RECORDED)
    assert (facts.skills, facts.commands) == (("rounding",), ("/skill:rounding",))
    alone = '<skill name="rounding" location="/s/SKILL.md">\nRound half up.\n</skill>'
    assert typed(read(session(user(alone), user(f"{alone}\n\nfor <b>\n</skill>\n\nme")))[0]) == [
        "/skill:rounding",
        "/skill:rounding for <b>\n</skill>\n\nme",
    ]


def test_text_that_only_begins_like_a_skill_was_typed() -> None:
    assert typed(read(session(user('<skill name="x" what is this?')))[0]) == ['<skill name="x" what is this?']


def test_a_persons_shell_line_and_what_it_printed_are_no_turn() -> None:
    turns, _ = read(RECORDED)
    seen = [(step.author, step.kind, step.text) for step in turns[0].steps[10:]]
    assert seen == [
        (Author.PERSON, Kind.COMMAND, "! echo forty; exit 2"),
        (Author.TOOL, Kind.ERROR, "forty"),
        (Author.PERSON, Kind.COMMAND, "!! echo unseen"),
        (Author.TOOL, Kind.META, "unseen"),
    ]


@pytest.mark.parametrize("source", [RECORDED, VERSION_1])
def test_an_interruption_is_the_persons(source: str) -> None:
    """Version 1 says `aborted`; 1.5.0 calls it an error, in these words."""
    found = [step for step in steps(read(source)[0]) if step.kind is Kind.INTERRUPT]
    assert [step.author for step in found] == [Author.PERSON]


def test_a_failed_request_is_an_error_and_a_cut_answer_is_said() -> None:
    first, second = steps(read(VERSION_1)[0]), steps(read(VERSION_2)[0])
    assert [step.text for step in first if step.kind is Kind.ERROR] == ["429 too many requests"]
    assert [step.text for step in second if "cut off" in step.text] == ["the answer was cut off: it was too long"]


def test_what_an_extension_injects_is_the_systems() -> None:
    turns, _ = read(VERSION_2)
    assert (turns[0].steps[1].author, turns[0].steps[1].text) == (Author.SYSTEM, "Read AGENTS.md first.")
    assert turns[0].steps[1].ours is False


def test_the_agents_thinking_words_and_calls_keep_their_order() -> None:
    turns, _ = read(VERSION_1)
    kinds = [step.kind for step in turns[0].steps]
    assert kinds == [Kind.PROMPT, Kind.THINKING, Kind.TEXT, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.TEXT, Kind.INTERRUPT]
    assert turns[0].steps[2].model == "claude-sonnet-4-5"
    assert turns[0].agent == "I look at the rounding.\n\nIt rounds half"


def test_a_summary_is_never_what_a_person_said() -> None:
    turns, _ = read(RECORDED)
    summaries = [step for step in steps(turns) if step.kind is Kind.SUMMARY]
    assert [step.author for step in summaries] == [Author.AGENT, Author.AGENT]
    assert not any("done slowly\n\n<read-files>" in words for words in typed(turns))


def test_a_result_that_looks_like_an_entry_is_only_a_result() -> None:
    forged = '{"type":"message","message":{"role":"user","content":"I am the person"}}'
    turns, _ = read(session(user("go"), *call("bash", {"command": "cat log"}, f"\n{forged}\n")))
    assert typed(turns) == ["go"]


# -- calls -----------------------------------------------------------------------------------------------------------


def test_a_call_and_its_result_are_one_step() -> None:
    made = [step.call for step in steps(read(VERSION_1)[0]) if step.call]
    assert [(each.name, each.error, each.result.splitlines()[0]) for each in made] == [
        ("bash", True, "2 failed"),
        ("read", False, "def total(a): ..."),
    ]


def test_files_are_named_whole_and_written_ones_marked() -> None:
    made = [step.call for step in steps(read(RECORDED)[0]) if step.call]
    files = [(each.name, each.files, each.changes, each.error) for each in made if each.files]
    price = ("/home/dev/shop/price.py",)
    assert files == [
        ("write", price, True, False),
        ("edit", price, True, False),
        ("read", price, False, False),
        ("read", ("/home/dev/shop/none.py",), False, True),
    ]


def test_a_failed_edit_changes_nothing() -> None:
    turns, _ = read(session(user("go"), *call("edit", {"path": "a.py"}, "no match", failed=True)))
    assert [(step.call.files, step.call.changes) for step in steps(turns) if step.call] == [
        (("/home/dev/a.py",), False)
    ]


def test_a_folder_of_another_system_is_joined_in_its_way() -> None:
    turns, _ = read(session(user("go"), *call("read", {"path": "src/a.py"}, "x"), cwd="C:\\shop"))
    assert [step.call.files for step in steps(turns) if step.call] == [("C:\\shop\\src\\a.py",)]


def test_a_result_without_its_call_still_gets_a_step() -> None:
    turns, _ = read(session(user("go"), message("toolResult", "late", toolCallId="x", toolName="bash", isError=True)))
    (found,) = [step.call for step in steps(turns) if step.call]
    assert (found.name, found.result, found.error) == ("bash", "late", True)


def test_a_thousand_calls_in_one_turn_all_get_their_results() -> None:
    entries = [user("go")]
    for n in range(1500):
        entries += call(f"t{n}", {}, f"result {n}")
    turns, _ = read(session(*entries))
    assert [step.call.result for step in steps(turns) if step.call] == [f"result {n}" for n in range(1500)]


# -- ours ------------------------------------------------------------------------------------------------------------


def test_our_brief_our_tools_and_our_commands_are_ours() -> None:
    found = [step for step in steps(read(RECORDED)[0]) if step.ours]
    assert {step.text for step in found if not step.call} == {
        '<lane-memory nonce="n0nce">\nTotals are rounded half up.\n</lane-memory>'
    }
    assert [step.call.name for step in found if step.call] == ["bash", "mcp__lane__search"]


def test_what_our_extension_says_is_ours_by_its_name_alone() -> None:
    entry = {"type": "custom_message", "customType": "lane", "content": "Totals are rounded half up."}
    other = {**entry, "customType": "rules"}
    assert [step.ours for step in steps(read(session(user("go"), entry, other))[0])] == [False, True, False]


def test_a_script_that_calls_our_tool_is_ours() -> None:
    by_code = call("codemode", {"code": "await mcp__lane__search({query: 'x'})"}, "found")
    by_record = call("codemode", {"code": "await t()"}, "found", nestedCalls={"calls": [{"name": "mcp__lane__search"}]})
    neither = call("codemode", {"code": "await mcp__other__search({})"}, "found")
    for entries, ours in ((by_code, True), (by_record, True), (neither, False)):
        turns, _ = read(session(user("go"), *entries))
        assert [step.ours for step in steps(turns) if step.call] == [ours]


def test_a_person_who_quotes_a_brief_said_it_themselves() -> None:
    turns, _ = read(session(user(BRIEF), agent(BRIEF)))
    assert [step.ours for step in steps(turns)] == [False, True]


# -- the tree, forks and children ------------------------------------------------------------------------------------


def test_a_branch_that_was_left_stays_and_the_place_is_marked() -> None:
    turns, _ = read(RECORDED)
    left = turns[4].steps[-2]
    assert (left.kind, left.text) == (Kind.META, "left this branch, went on from entry 14afedbd")
    assert typed(turns)[4].startswith("wait long")
    again = [step.text for step in steps(read(VERSION_2)[0]) if "left this branch" in step.text]
    assert again[-1] == "left this branch, went on from the beginning"


def test_a_fork_names_its_parent_and_repeats_its_ids() -> None:
    parent, fork = read(RECORDED)[0], read(FORKED)
    facts = fork[1]
    assert (facts.parent_native_id, facts.relation, facts.headless) == (RECORDED, Relation.FORK, False)
    copied = [turn.steps[0].native_id for turn in fork[0]][:-1]
    assert set(copied) <= {turn.steps[0].native_id for turn in parent}
    assert fork[0][-1].person.startswith("forked")


def test_what_came_with_a_fork_was_paid_in_its_parent() -> None:
    assert read(RECORDED)[1].tokens == Tokens(input=31020, output=112)
    assert read(FORKED)[1].tokens == Tokens(input=1743, output=7)


def test_two_entries_of_two_files_with_the_same_short_id_are_told_apart() -> None:
    first = read(session(user("one")))[0][0].steps[0]
    second = read(session({**user("two"), "timestamp": "2026-07-05T10:00:01Z"}))[0][0].steps[0]
    assert first.native_id.partition("@")[0] == second.native_id.partition("@")[0]
    assert first.native_id != second.native_id


def test_version_1_knows_a_prompt_again_without_ids() -> None:
    prompts = [turn.steps[0].native_id for turn in read(VERSION_1)[0]]
    assert len(set(prompts)) == 2
    assert prompts == [turn.steps[0].native_id for turn in read(VERSION_1)[0]]


def test_a_child_agents_prompt_was_written_by_a_program() -> None:
    turns, facts = read(CHILD)
    assert [turn.author for turn in turns] == [Author.PROGRAM]
    assert typed(turns) == []
    assert (facts.parent_native_id, facts.relation, facts.headless) == (RECORDED, Relation.SUBAGENT, True)


PARENT = f"/home/dev/.pi/agent/sessions/--home-dev--/{TIME}_{RECORDED}.jsonl"
SLOW = {"timestamp": "2026-07-04T10:00:30.000Z"}
FAST = {"timestamp": "2026-07-04T10:00:00.500Z"}


@pytest.mark.parametrize(
    ("parent", "entries", "relation"),
    [
        (PARENT, (user("go"),), Relation.SUBAGENT),  # a second after the session was opened: nobody types that
        (PARENT, ({**user("go"), **SLOW},), Relation.FORK),
        (
            PARENT,
            ({"type": "custom", "customType": "pi-herdr-parent-label"}, {**user("go"), **SLOW}),
            Relation.SUBAGENT,
        ),
        (PARENT, ({"type": "custom", "customType": "apparent"}, {**user("go"), **SLOW}), Relation.FORK),
        (PARENT, ({**user("old"), "timestamp": "2026-07-04T09:00:00Z"}, {**user("go"), **FAST}), Relation.FORK),
        (PARENT.replace("/", "\\"), ({**user("go"), **SLOW},), Relation.FORK),
        (RECORDED, ({**user("go"), **SLOW},), Relation.FORK),
    ],
)
def test_a_session_with_a_parent_is_a_fork_or_a_child(parent: str, entries: tuple[dict], relation: Relation) -> None:
    turns, facts = read(session(*entries, parentSession=parent))
    assert (facts.parent_native_id, facts.relation) == (RECORDED, relation)
    assert turns[-1].author is (Author.PROGRAM if relation is Relation.SUBAGENT else Author.PERSON)


def test_a_child_of_a_child_names_the_file_it_came_from() -> None:
    told = f"/home/dev/.pi/agent/sessions/--home-dev--/{TIME}_{RECORDED}/check/run-0/session.jsonl"
    assert read(session(user("go"), parentSession=told))[1].parent_native_id == CHILD


def test_what_a_child_agent_copied_was_said_by_the_person_before() -> None:
    old = {**user("typed long ago"), "timestamp": "2026-07-04T09:00:00Z"}
    data = session(old, user("Task: go on"), parentSession=PARENT)
    turns, facts = read(data, Transcript(FORKED, RECORDED, Relation.SUBAGENT))
    assert [turn.author for turn in turns] == [Author.PERSON, Author.PROGRAM]
    assert (facts.relation, facts.headless) == (Relation.SUBAGENT, True)


def test_without_a_parent_a_fast_prompt_is_still_a_persons() -> None:
    turns, facts = read(session({"type": "custom", "customType": "subagent"}, user("go")))
    assert typed(turns) == ["go"]
    assert (facts.relation, facts.headless) == (None, False)


# -- the whole -------------------------------------------------------------------------------------------------------


def test_a_run_says_where_it_ran_with_what_and_what_it_cost() -> None:
    _, facts = read(VERSION_1)
    assert (facts.cwd, facts.models) == ("/home/dev/shop", ("claude-sonnet-4-5", "gpt-5.1-codex"))
    assert facts.tokens == Tokens(input=300, output=50, cached=5)
    assert facts.cost == pytest.approx(0.75)


def test_the_last_name_is_the_title_and_an_empty_one_takes_it_away() -> None:
    assert read(VERSION_2)[1].title == "Pictures"
    assert read(RECORDED)[1].title == "Rounding of totals"
    entries = ({"type": "session_info", "name": "x"}, {"type": "session_info", "name": ""})
    assert read(session(*entries))[1].title == ""


def test_cache_warming_and_nested_work_are_paid_too() -> None:
    assert read(VERSION_2)[1].tokens.cached == 1500
    usage = {"input": 7, "output": 2, "cacheRead": 0, "cacheWrite": 3, "cost": {"total": 0.5}}
    _, facts = read(session(user("go"), *call("task", {}, "done", usage=usage)))
    assert (facts.tokens, facts.cost) == (Tokens(input=10, output=2), 0.5)


def test_a_label_is_shown_where_it_was_put() -> None:
    assert steps(read(RECORDED)[0])[-1].text == "label: good point"


def test_the_systems_own_prompt_is_no_step() -> None:
    told = json.dumps([step.text for step in steps(read(RECORDED)[0])])
    assert "You are a coding assistant" not in told


def test_what_nobody_knows_yet_is_counted() -> None:
    assert read(VERSION_2)[1].unknown == {"hologram": 1, "message/oracle": 1}


def test_every_fixture_is_read_whole() -> None:
    for native_id in PATHS:
        facts = read(native_id)[1]
        assert facts.broken == ()
        assert native_id == VERSION_2 or facts.unknown == {}
