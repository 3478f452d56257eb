"""What the transcripts of the real client say, once read. Recorded with 2.1.325; the old builds are written by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memlane.agents import SOURCES, Source
from memlane.agents.claude_code.source import ClaudeCode
from memlane.domain import Author, Kind, Relation, Tokens
from tests.rooms.agents.claude_code_records import (
    RECORDED,
    agent,
    attachment,
    calls,
    lines_in,
    lines_of,
    read,
    recorded,
    result,
    says,
    typed,
    user,
)

HEADLESS = "-home-dev-shop/1111"
FORK = "-home-dev-shop/2222"
SUBAGENT = "-home-dev-shop/33333333-3333-4333-8333-333333333333/subagents/"
TYPED = "-home-dev-shop/6666"
INTERRUPTED = "-home-dev-shop/7777"
BRANCH = "-home-dev-shop/8888"
OLD = "-home-dev-old-shop/aaaa"


def test_it_is_one_of_the_sources() -> None:
    (source,) = (source for source in SOURCES if source.name == "claude-code")
    asked: Source = source
    assert asked.title == "Claude Code"


def test_a_run_of_the_real_client_is_read_whole() -> None:
    told = recorded(HEADLESS)
    assert [turn.n for turn in told.turns] == [1, 2]
    assert [(step.n, step.author, step.kind) for step in told.turns[0].steps] == [
        (1, Author.PROGRAM, Kind.PROMPT),
        (2, Author.TOOL, Kind.TOOL_CALL),
        (3, Author.TOOL, Kind.TOOL_CALL),
        (4, Author.TOOL, Kind.TOOL_CALL),
        (5, Author.AGENT, Kind.TEXT),
    ]
    assert told.turns[0].agent == "The port is 9090 now."
    assert (told.facts.broken, told.facts.unknown) == ((), {})


def test_calls_carry_input_result_error_and_files() -> None:
    reading, failing, editing = (step.call for step in recorded(HEADLESS).of(Kind.TOOL_CALL) if step.call)
    assert (reading.name, reading.files, reading.changes) == ("Read", ("/home/dev/shop/settings.toml",), False)
    assert reading.result.startswith("1\tport = 8080")
    assert (failing.name, failing.error, failing.files) == ("Bash", True, ())
    assert "No such file" in failing.result
    assert failing.input["command"] == "cat missing.txt"
    assert (editing.files, editing.changes, editing.error) == (("/home/dev/shop/settings.toml",), True, False)


def test_resuming_appends_turns_to_the_same_run() -> None:
    told = recorded(HEADLESS)
    assert told.turns[1].steps[0].text == "And which port was it before?"
    assert told.facts.parent_native_id == ""


def test_nobody_typed_in_a_run_driven_from_a_script() -> None:
    told = recorded(HEADLESS)
    assert told.facts.headless
    assert {turn.author for turn in told.turns} == {Author.PROGRAM}
    assert told.prompts == []


def test_a_compaction_is_a_summary_inside_a_turn_and_never_a_persons_words() -> None:
    (summary,) = recorded(TYPED).of(Kind.SUMMARY)
    assert summary.author is Author.AGENT
    assert not any("being continued" in prompt for prompt in recorded(TYPED).prompts)


def test_a_person_at_the_terminal() -> None:
    told = recorded(TYPED)
    assert told.prompts == [
        "What port is set?",
        "!echo from-the-shell",
        "Wait a little.",
        "and keep the log this time",  # typed while the agent waited: queued, removed, attached, and one Turn
        "Change it.",
        "Ask me.",
        "Wait long.",
    ]
    assert [step.text for step in told.of(Kind.ANSWER)] == ["no, use port 9090 instead", "9091, the other is taken"]
    assert {step.author for step in told.of(Kind.ANSWER)} == {Author.PERSON}
    assert [step.text for step in told.of(Kind.COMMAND)] == ["/rename ports and logs", "/compact keep the port"]
    assert (told.facts.title, told.facts.headless) == ("ports and logs", False)
    assert told.facts.commands == ("/rename", "/compact")


def test_an_interruption_and_a_prompt_taken_back() -> None:
    told = recorded(INTERRUPTED)
    (interrupt,) = told.of(Kind.INTERRUPT)
    assert interrupt.author is Author.PERSON
    assert told.prompts == ["Count slowly.", "Stop, count to three only."]
    assert not any("never mind the log" in step.text for step in told.steps)


def test_a_subagent_is_prompted_by_a_program_and_names_its_parent() -> None:
    told = recorded(SUBAGENT)
    assert [turn.author for turn in told.turns] == [Author.PROGRAM]
    assert told.facts.parent_native_id == "33333333-3333-4333-8333-333333333333"
    assert told.facts.relation is Relation.SUBAGENT


def test_an_old_subagent_finds_its_parent_inside_the_file() -> None:
    told = recorded("-home-dev-old-shop/agent-0a1b2c3d")
    assert told.turns[0].steps[0].author is Author.PROGRAM
    assert told.facts.parent_native_id == "aaaaaaaa-0001-4000-8000-000000000001"
    assert told.facts.relation is Relation.SUBAGENT


def test_a_warm_up_is_dropped() -> None:
    assert recorded("-home-dev-old-shop/agent-0f0f0f0f").turns == []


def test_a_branch_names_the_run_it_came_from() -> None:
    told = recorded(BRANCH)
    assert told.facts.parent_native_id == "66666666-6666-4666-8666-666666666666"
    assert told.facts.relation is Relation.FORK
    assert told.prompts == [*recorded(TYPED).prompts, "On the branch."]


def test_a_fork_by_flag_repeats_its_parents_ids_and_says_nothing_else() -> None:
    parent, fork = recorded(HEADLESS), recorded(FORK)
    shared = [step.native_id for step in fork.turns[0].steps + fork.turns[1].steps]
    assert shared == [step.native_id for step in (*parent.turns[0].steps, *parent.turns[1].steps[:2])]
    assert len(fork.turns) == 3
    assert (fork.facts.parent_native_id, fork.facts.relation) == ("", None)


def test_skills_and_commands_that_were_invoked() -> None:
    assert recorded("-home-dev-shop/5555").facts.skills == ("tidy",)
    command = recorded("-home-dev-shop/4444")
    assert command.facts.commands == ("/hello",)
    assert command.turns[0].steps[0].text == "/hello the team"


def test_an_old_build_says_the_same_in_other_ways() -> None:
    told = recorded(OLD)
    assert told.prompts == [
        "Round the prices to two digits",  # after the editor's tag, in the same record
        "use Decimal, never floats",  # nowhere else but in the queue
        "!git push",
        "push it again",
    ]
    assert [step.text for step in told.of(Kind.ANSWER)] == ["keep the old function beside it"]
    assert told.turns[1].agent == "Decimal it is.\n\nNoted."  # the second of them glued to another record
    assert [broken.line for broken in told.facts.broken] == [29]
    assert told.facts.unknown == {"weather-report": 1}


def test_a_result_finds_its_call_though_a_prompt_came_between() -> None:
    failing = recorded(OLD).turns[0].steps[-1].call
    assert failing
    assert (failing.name, failing.error) == ("Bash", True)


def test_a_summary_is_the_title_only_if_it_is_about_this_run() -> None:
    ours, other = ({"type": "summary", "summary": of, "leafUuid": leaf} for of, leaf in (("ours", "u2"), ("not", "x")))
    assert read(ours, typed("hi"), other).facts.title == "ours"
    assert read(other, typed("hi"), ours).facts.title == "ours"
    assert recorded(OLD).facts.title == "Prices as decimals"


def test_a_title_given_by_a_person_beats_one_made_by_the_agent_and_the_last_wins() -> None:
    first = {"type": "custom-title", "customTitle": "mine"}
    told = read(typed("hi"), first, {"type": "ai-title", "aiTitle": "its"}, {**first, "customTitle": "mine, later"})
    assert told.facts.title == "mine, later"


def test_usage_is_the_largest_per_message_and_summed_over_messages() -> None:
    assert recorded(OLD).facts.tokens == Tokens(input=618, output=133, cached=6000)


def test_where_when_and_with_what() -> None:
    facts = recorded(OLD).facts
    assert (facts.cwd, facts.branch, facts.version) == ("/home/dev/old-shop", "fix-prices", "2.1.37")
    assert facts.models == ("claude-opus-4-6",)


def test_account_and_cost_where_the_client_wrote_them() -> None:
    told = read(typed("hi"), {"type": "session-owner", "accountUuid": "a1"}, {"type": "cost-state", "totalCostUSD": 2})
    assert (told.facts.account, told.facts.cost) == ("a1", 2.0)


def test_one_message_in_many_records_is_one_step_per_kind() -> None:
    told = read(typed("hi"), agent(says("One.")), agent(says("Two.")), agent(says("Three."), message="m2"))
    assert [step.text for step in told.of(Kind.TEXT)] == ["One.\nTwo.", "Three."]


def test_thinking_without_words_is_no_step() -> None:
    told = read(typed("hi"), agent({"type": "thinking", "thinking": "", "signature": "x"}), agent(says("Yes.")))
    assert told.of(Kind.THINKING) == []


def test_a_record_written_twice_is_one_step() -> None:
    again = agent(says("Done."), uuid="same")
    told = read(typed("go", uuid="p"), again, again, typed("go", uuid="p"), agent(says("Next."), message="m2"))
    assert [step.text for step in told.of(Kind.TEXT)] == ["Done.", "Next."]
    assert told.prompts == ["go"]


def test_of_two_versions_of_a_record_the_newest_wins() -> None:
    told = read(typed("go"), agent(says("Draft."), uuid="same"), agent(says("Final."), uuid="same"))
    assert [step.text for step in told.of(Kind.TEXT)] == ["Final."]


def test_what_the_client_says_in_the_agents_place_is_not_the_agents() -> None:
    limit: dict[str, object] = {"model": "<synthetic>", "content": [says("You've hit your limit")]}
    idle: dict[str, object] = {"model": "<synthetic>", "content": [says("No response requested.")]}
    failed = {"type": "assistant", "isApiErrorMessage": True, "error": "rate_limit", "message": limit}
    told = read(typed("hi"), failed, {"type": "assistant", "message": idle})
    assert [(step.author, step.text) for step in told.of(Kind.ERROR)] == [(Author.SYSTEM, "You've hit your limit")]
    assert (told.turns[0].agent, told.facts.models) == ("", ())


def test_a_failing_connection_is_an_error_step() -> None:
    error = {"type": "system", "subtype": "api_error", "error": {"cause": {"code": "ECONNRESET"}}}
    assert [step.text for step in read(typed("hi"), error).of(Kind.ERROR)] == ["ECONNRESET"]


def test_what_stands_before_the_first_prompt_is_turn_zero() -> None:
    told = read(attachment("hook_additional_context", content=["Be brief."]), typed("hi"))
    assert [(turn.n, turn.author) for turn in told.turns] == [(0, Author.SYSTEM), (1, Author.PERSON)]


def test_our_own_words_are_marked_wherever_they_come_back() -> None:
    brief = 'Before:\n<lane-memory nonce="a1b2">\n- use pnpm\n</lane-memory>'
    told = read(
        typed("hi"),
        attachment("hook_additional_context", content=[brief]),
        agent(calls("c1", "mcp__plugin_lane_lane__search", query="pnpm"), calls("c2", "Bash", command="lane why")),
        result("c1", "found"),
        result("c2", "because"),
        agent(calls("c3", "Bash", command="cat notes.txt"), calls("c4", "Bash", command="ls"), message="m2"),
        result("c3", brief),
        result("c4", "lane.toml"),
        user("<bash-input>lane recalls</bash-input>"),
        user("<bash-stdout>3 recalls</bash-stdout><bash-stderr></bash-stderr>"),
    )
    assert [step.ours for step in told.turns[0].steps] == [False, True, True, True, True, False]
    assert [step.ours for step in told.turns[1].steps] == [True, True]


def test_what_our_mod_says_is_ours_and_nobodys_words() -> None:
    brief = '<lane-memory nonce="a1b2">\n- use pnpm\n</lane-memory>'
    answer = "<local-command-stdout>lane: use pnpm</local-command-stdout>"
    told = read(
        typed("hi"),
        attachment("context_sections", sections=[{"name": "memoryLane", "text": brief}]),
        {"type": "system", "subtype": "local_command", "content": answer, "commandRun": {"plugin": "lane"}},
        {"type": "system", "subtype": "local_command", "content": answer, "commandRun": {"plugin": "other"}},
    )
    _prompt, *after = told.turns[0].steps
    assert [(step.author, step.ours) for step in after] == [
        (Author.SYSTEM, True),
        (Author.SYSTEM, True),
        (Author.SYSTEM, False),
    ]
    assert told.facts.unknown == {}


def test_another_hooks_context_is_shown_and_not_ours() -> None:
    (step,) = read(attachment("hook_additional_context", content=["The index is stale."])).steps
    assert (step.author, step.kind, step.ours) == (Author.SYSTEM, Kind.META, False)


def test_a_pull_request_is_named_once() -> None:
    link = {"type": "pr-link", "prUrl": "https://example.org/shop/pull/7", "prNumber": 7}
    told = read(typed("hi"), link, link)
    assert [step.text for step in told.of(Kind.META)] == ["https://example.org/shop/pull/7"]


@pytest.mark.parametrize("kind", ["attachment", "system"])
def test_kinds_we_do_not_know_are_counted(kind: str) -> None:
    strange = attachment("horoscope") if kind == "attachment" else {"type": "system", "subtype": "horoscope"}
    assert read(typed("hi"), strange, strange).facts.unknown == {f"{kind}/horoscope": 2}


def test_peeking_finds_the_start_and_the_folder_behind_lines_without_them() -> None:
    (file,) = RECORDED.glob("-home-dev-old-shop/aaaa*.jsonl")
    found = ClaudeCode().peek(lines_in(file))
    assert found.started == datetime(2026, 2, 8, 9, 1, tzinfo=UTC)
    assert found.cwd == "/home/dev/old-shop"


def test_peeking_at_nothing_readable_finds_nothing() -> None:
    found = ClaudeCode().peek(lines_of(["not json", b"\xff\xfe", "[]"]))
    assert (found.started, found.cwd, found.remote) == (None, "", "")
