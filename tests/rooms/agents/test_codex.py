"""Where Codex keeps its rollouts, what their names and first lines tell, and what the file says about itself."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest
import zstandard

from memlane.agents.agent import Surroundings, Transcript
from memlane.agents.codex.source import Codex
from memlane.domain import Author, Kind, Relation, Tokens
from tests.rooms.agents.codex_rollouts import (
    BARE,
    BRIEFED,
    DOCUMENT,
    EVENTFUL,
    FOLDER,
    FORKED,
    GUARDIAN,
    LEGACY,
    LEGACY_FORK,
    LEGACY_SPAWNED,
    PLAIN,
    RESUMED,
    REVERTED,
    REVIEWER,
    SPAWNED,
    SPAWNED_WITH_HISTORY,
    SPAWNING,
    event,
    item,
    lines_of,
    message,
    meta,
    path_of,
    prompt,
    read,
    record,
    rollout,
    steps,
    typed,
)

THREAD = "019f2c00-0000-7aaa-8aaa-000000000001"
ROLLOUT = "01a1e130-7eb5-75f3-8952-7d7a78b417aa"


def test_only_the_two_folders_of_rollouts_are_places() -> None:
    home = Path("/home/dev")
    assert Codex().places(Surroundings(home, {})) == (
        home / ".codex" / "sessions",
        home / ".codex" / "archived_sessions",
    )
    moved = Codex().places(Surroundings(home, {"CODEX_HOME": "/srv/codex"}))
    assert moved == (Path("/srv/codex/sessions"), Path("/srv/codex/archived_sessions"))


@pytest.mark.parametrize(
    ("name", "native_id"),
    [
        (f"2026/07/04/rollout-2026-07-04T12-00-00-{THREAD}.jsonl", THREAD),
        (f"2026/07/04/rollout-2026-07-04T12-00-00-{THREAD}.jsonl.zst", THREAD),
        (f"rollout-2026-07-04T12-00-00-{THREAD}.jsonl", THREAD),
        (f"rollout-2025-05-01-{THREAD}.json", THREAD),
        (f"2026/07/04/rollout-2026-07-04T12-00-00-{THREAD}_{ROLLOUT}.jsonl", f"{THREAD}_{ROLLOUT}"),
    ],
)
def test_a_rollout_is_known_by_its_name(name: str, native_id: str) -> None:
    assert Codex().recognise(PurePath(name)) == Transcript(native_id)


@pytest.mark.parametrize(
    "name",
    [
        "auth.json",
        "history.jsonl",
        f"rollout-2026-07-04T12-00-00-{THREAD}.jsonl.tmp",
        f"rollout-2026-07-04T12-00-00-{THREAD}.jsonl.zst.part",
        "rollout-.jsonl",
        f"{THREAD}.jsonl",
    ],
)
def test_nothing_else_is_a_rollout(name: str) -> None:
    assert Codex().recognise(PurePath(name)) is None


def test_a_compressed_rollout_is_the_same_run_and_unpacks_to_the_same_turns() -> None:
    (packed,) = FOLDER.glob("*.zst")
    plain = packed.with_suffix("")
    assert Codex().recognise(packed) == Codex().recognise(plain)
    assert read(zstandard.ZstdDecompressor().decompress(packed.read_bytes())) == read(plain.read_bytes())


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name[8:38])
def test_the_first_lines_tell_when_and_where(path: Path) -> None:
    peek = Codex().peek(lines_of(path.read_bytes()))
    assert peek.started is not None
    assert peek.cwd == ("" if DOCUMENT in path.name else "/home/dev/shop")  # the oldest never says


def test_peeking_survives_broken_first_lines() -> None:
    data = b"\xff\xfe{\n" + rollout(meta(timestamp="2026-07-04T10:00:00.000Z"))
    assert Codex().peek(lines_of(data)).cwd == "/home/dev/shop"
    assert Codex().peek([]) == Codex().peek(lines_of(b"nothing\n"))


def test_a_run_says_where_it_ran_with_what_and_what_it_cost() -> None:
    _, facts = read(LEGACY)
    assert (facts.cwd, facts.branch, facts.remote) == ("/home/dev/shop", "main", "git@github.com:acme/shop.git")
    assert (facts.version, facts.models, facts.title) == ("0.142.5", ("gpt-5.5",), "Rounding")
    assert facts.tokens == Tokens(input=9000, output=300, cached=7000)  # the last total, never a sum
    assert (facts.skills, facts.commands) == (("deploy",), ("/review",))
    assert (facts.relation, facts.parent_native_id, facts.headless) == (None, "", False)


def test_only_the_first_header_describes_the_file() -> None:
    later = meta(id="t2", cwd="/elsewhere", cli_version="9.9.9", source={"subagent": "review"})
    turns, facts = read(rollout(meta(cli_version="0.142.5"), *prompt("one"), later, *prompt("two")))
    assert (facts.cwd, facts.version, facts.headless) == ("/home/dev/shop", "0.142.5", False)
    assert typed(turns) == ["one", "two"]


def test_a_resumed_run_goes_on_in_the_same_file() -> None:
    turns, facts = read(RESUMED)
    assert typed(turns) == ["Add the price check.", "Go on with the second part."]
    assert facts.relation is None
    assert facts.tokens.input == 50626


@pytest.mark.parametrize(
    ("native_id", "relation", "parent"),
    [
        (FORKED, Relation.FORK, RESUMED),
        (LEGACY_FORK, Relation.FORK, LEGACY),
        (REVERTED, Relation.FORK, REVERTED.partition("_")[0]),
        (SPAWNED, Relation.SUBAGENT, SPAWNING),
        (SPAWNED_WITH_HISTORY, Relation.SUBAGENT, REVERTED.partition("_")[0]),
        (LEGACY_SPAWNED, Relation.SUBAGENT, LEGACY),
        (REVIEWER, Relation.SUBAGENT, EVENTFUL),
        (GUARDIAN, Relation.SUBAGENT, LEGACY),
    ],
)
def test_a_run_out_of_another_names_it(native_id: str, relation: Relation, parent: str) -> None:
    _, facts = read(native_id)
    assert (facts.relation, facts.parent_native_id) == (relation, parent)


@pytest.mark.parametrize("native_id", [SPAWNED, SPAWNED_WITH_HISTORY, LEGACY_SPAWNED, REVIEWER, GUARDIAN])
def test_nobody_typed_in_a_subagents_run(native_id: str) -> None:
    turns, facts = read(native_id)
    assert facts.headless
    assert typed(turns) == []
    assert [turn.author for turn in turns if turn.n] == [Author.PROGRAM]


@pytest.mark.parametrize(
    ("told", "author"),
    [
        ({"source": "cli"}, Author.PERSON),
        ({"source": "vscode", "thread_source": "user"}, Author.PERSON),
        ({"source": "vscode", "thread_source": "subagent"}, Author.PROGRAM),
        ({"source": "vscode", "thread_source": "memory_consolidation"}, Author.PROGRAM),
        ({"source": "exec", "originator": "codex_exec"}, Author.PERSON),
        ({"source": "exec", "originator": "codex_sdk_ts"}, Author.PROGRAM),
        ({"source": "mcp"}, Author.PROGRAM),
        ({"source": {"internal": "memory_consolidation"}}, Author.PROGRAM),
        ({"source": {"custom": "an editor"}}, Author.PERSON),
    ],
)
def test_the_way_in_tells_who_types(told: dict[str, object], author: Author) -> None:
    turns, facts = read(rollout(meta(**told), *prompt("hello")))
    assert [turn.author for turn in turns] == [author]
    assert facts.headless is (author is Author.PROGRAM)


def test_a_fork_of_a_paginated_run_counts_only_its_own_tokens() -> None:
    turns, facts = read(FORKED)
    assert typed(turns) == ["Now in euros instead."]
    assert facts.tokens.input == 10431


def test_a_fork_repeats_the_prompts_of_its_parent_under_the_same_ids() -> None:
    parent, _ = read(LEGACY)
    fork, _ = read(LEGACY_FORK)
    ids = [(turn.steps[0].native_id, len(turn.steps)) for turn in fork if turn.n]
    assert all(native_id for native_id, _ in ids)
    assert ids[:-1] == [(turn.steps[0].native_id, len(turn.steps)) for turn in parent if turn.n]
    assert typed(fork)[-1] == "Try it with integers of cents instead."


@pytest.mark.parametrize(("native_id", "own"), [(SPAWNED_WITH_HISTORY, 4), (LEGACY_SPAWNED, 2)])
def test_history_copied_to_a_spawned_agent_is_not_read_again(native_id: str, own: int) -> None:
    turns, _ = read(native_id)
    assert [turn.n for turn in turns] == [0, 1]
    assert "copied by Codex" in turns[0].steps[0].text
    assert len(turns[1].steps) == own


def test_the_ordinal_of_the_first_own_record_is_believed() -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "t0"}}}
    records = [
        meta(source=source, subagent_history_start_ordinal=3),
        message("user", "old"),
        message("assistant", "old"),
    ]
    records += [message("user", "own task"), message("assistant", "done")]
    turns, _ = read(rollout(*({**each, "ordinal": n} for n, each in enumerate(records))))
    assert [step.text for step in steps(turns) if step.kind is not Kind.META] == ["own task", "done"]


def test_the_client_before_the_envelopes_is_read_too() -> None:
    turns, facts = read(BARE)
    assert typed(turns) == ["Which Python is this?"]
    assert turns[0].agent == "Python 3.11.2."
    assert (facts.cwd, facts.branch) == ("/home/dev/shop", "old")
    assert [step.line for step in turns[0].steps] == [4, 6, 7, 9]


def test_the_first_clients_document_is_read_over_all_its_lines() -> None:
    assert path_of(DOCUMENT).read_bytes().startswith(b"{\n")
    turns, facts = read(DOCUMENT)
    assert typed(turns) == ["List the files."]
    assert [step.call.error for step in steps(turns) if step.call] == [True]
    assert turns[0].agent == "Only a.txt."
    assert facts.broken == ()


def test_the_title_is_the_last_name_given() -> None:
    named = (event("thread_name_updated", thread_name=name) for name in ("first", "second", ""))
    assert read(rollout(meta(), *named))[1].title == "second"


def test_types_nobody_knows_are_counted_and_everything_else_is_read() -> None:
    strange = (record("hologram"), event("telepathy"), event("telepathy"), item("thought_call"))
    finished = event("item_completed", item={"type": "Dance"})
    turns, facts = read(rollout(meta(), *strange, finished, *prompt("still here")))
    assert typed(turns) == ["still here"]
    assert facts.unknown == {
        "hologram": 1,
        "event_msg/telepathy": 2,
        "response_item/thought_call": 1,
        "event_msg/item_completed/Dance": 1,
    }


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name[8:38])
def test_nothing_in_what_clients_wrote_is_unknown_or_broken(path: Path) -> None:
    _, facts = read(path.read_bytes())
    assert (facts.unknown, facts.broken) == ({}, ())


def test_what_we_put_into_a_run_is_marked_as_ours() -> None:
    turns, _ = read(BRIEFED)
    ours = [step.call.name if step.call else step.kind.value for step in steps(turns) if step.ours]
    assert ours == ["meta", "meta", "exec_command", "mcp__lane.search"]  # two briefs, `lane search`, our MCP tool
    assert typed(turns) == ["Price in euros please."]


def test_a_script_or_a_person_that_runs_lane_is_marked_too() -> None:
    script = 'await tools.exec_command({"cmd":"cd shop && lane recall prices"})'
    shell = "<user_shell_command>\n<command>\nlane why\n</command>\n<result>\nExit code: 0\nOutput:\nm_1\n</result>"
    turns, _ = read(
        rollout(
            meta(),
            *prompt("go"),
            item("custom_tool_call", name="exec", input=script, call_id="c1"),
            item("custom_tool_call", name="exec", input="await tools.mcp__lane__search({})", call_id="c2"),
            item("custom_tool_call", name="exec", input="plane tickets", call_id="c3"),
            message("user", shell),
        )
    )
    assert [step.ours for step in steps(turns)] == [False, True, True, False, False, True]
