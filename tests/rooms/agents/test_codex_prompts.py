"""Who wrote it: what a person really typed in Codex, told apart from everything that only looks like it."""

from __future__ import annotations

import pytest

from memlane.domain import Author, Kind
from tests.rooms.agents.codex_rollouts import (
    ASKED,
    EVENTFUL,
    LEGACY,
    call,
    event,
    item,
    message,
    meta,
    prompt,
    read,
    record,
    rollout,
    steps,
    typed,
)

OF_THE_HARNESS = [
    "<environment_context>\n  <cwd>/home/dev/shop</cwd>\n</environment_context>",
    "<user_instructions>\nUse tabs.\n</user_instructions>",
    "# AGENTS.md instructions for /home/dev/shop\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
    "<subagent_notification>{}</subagent_notification>",
    "<recommended_plugins>\n- one\n</recommended_plugins>",
    "<skill>\n<name>deploy</name>\n</skill>",
    "<user_action>\n<action>review</action>\n</user_action>",
    "<codex_delegation>do it</codex_delegation>",
    '<hook_prompt hook_run_id="1">go on</hook_prompt>',
    "<ENVIRONMENT_CONTEXT>old and loud</ENVIRONMENT_CONTEXT>",
    "Another language model started to solve this problem and wrote:\nthe summary",
]


def finished(kind: str, **more: object) -> dict[str, object]:
    return event("item_completed", thread_id="t1", turn_id="u1", item={"type": kind, "id": "i1", **more})


def test_a_prompt_written_twice_is_one_turn() -> None:
    turns, _ = read(rollout(meta(), *prompt("one"), message("assistant", "done"), *prompt("two")))
    assert typed(turns) == ["one", "two"]
    assert [step.kind for step in steps(turns)] == [Kind.PROMPT, Kind.TEXT, Kind.PROMPT]


def test_the_event_may_also_come_first() -> None:
    seen, typed_in = prompt("one")
    turns, _ = read(rollout(meta(), typed_in, seen, message("assistant", "done")))
    assert typed(turns) == ["one"]
    assert [step.kind for step in steps(turns)] == [Kind.PROMPT, Kind.TEXT]


def test_the_same_words_typed_again_are_another_prompt_with_another_id() -> None:
    started = event("task_started", turn_id="u1")
    turns, _ = read(rollout(meta(), started, *prompt("go on"), message("assistant", "."), *prompt("go on")))
    assert typed(turns) == ["go on", "go on"]
    assert len({turn.steps[0].native_id for turn in turns}) == 2


def test_a_paginated_history_has_its_prompts_in_finished_items() -> None:
    shown = finished("UserMessage", content=[{"type": "text", "text": "run the tests"}])
    said = finished("AgentMessage", content=[{"type": "Text", "text": "green"}])
    turns, _ = read(rollout(meta(), message("user", "run the tests"), shown, said, message("assistant", "green")))
    assert typed(turns) == ["run the tests"]
    assert turns[0].agent == "green"


def test_an_item_of_another_thread_is_not_this_ones_prompt() -> None:
    theirs = event(
        "item_completed", thread_id="t9", item={"type": "UserMessage", "content": [{"text": "look closely"}]}
    )
    turns, _ = read(rollout(meta(), *prompt("mine"), theirs, message("assistant", ".")))
    assert typed(turns) == ["mine"]


@pytest.mark.parametrize("words", OF_THE_HARNESS)
def test_harness_text_is_nobodys_prompt(words: str) -> None:
    turns, _ = read(rollout(meta(), message("user", words), message("user", "hello"), message("assistant", "hi")))
    assert typed(turns) == ["hello"]
    turns, _ = read(rollout(meta(), message("user", words), *prompt("hello"), message("assistant", "hi")))
    assert typed(turns) == ["hello"]


def test_without_events_user_items_are_the_prompts() -> None:
    turns, _ = read(rollout(meta(), message("user", "hello"), message("assistant", "hi"), message("user", "more")))
    assert typed(turns) == ["hello", "more"]


def test_where_events_tell_a_user_item_alone_is_no_prompt() -> None:
    turns, _ = read(rollout(meta(), *prompt("hello"), message("user", "a new notice"), message("assistant", "hi")))
    assert typed(turns) == ["hello"]
    assert [(step.author, step.kind) for step in turns[0].steps[1:2]] == [(Author.SYSTEM, Kind.META)]


def test_the_clients_own_label_decides() -> None:
    labels = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": ["some.notice"]}}
    own = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": ["user.text"]}}
    turns, _ = read(
        rollout(meta(), message("user", "looks typed", **labels), message("user", "is typed", **own), *prompt("x")[1:])
    )
    assert typed(turns) == ["x"]
    turns, _ = read(rollout(meta(), message("user", "looks typed", **labels), message("assistant", ".")))
    assert typed(turns) == []
    turns, _ = read(rollout(meta(), *prompt("x"), message("user", "is typed", **own), message("assistant", ".")))
    assert typed(turns) == ["x", "is typed"]


def test_a_prompt_whose_event_is_not_written_yet_is_there() -> None:
    turns, _ = read(rollout(meta(), *prompt("one"), message("assistant", "."), message("user", "two")))
    assert typed(turns) == ["one", "two"]


def test_the_desktop_apps_prompt_is_what_stands_under_the_last_heading() -> None:
    turns, _ = read(LEGACY)
    assert typed(turns)[0] == "Round the basket total to cents."
    quoted = "## My request for Codex:\nfirst\n## My request for Codex:\n second \n"
    assert typed(read(rollout(meta(), event("user_message", message=quoted)))[0]) == ["second"]


def test_a_steered_prompt_is_a_turn_of_its_own() -> None:
    turns, _ = read(LEGACY)
    assert typed(turns)[:2] == ["Round the basket total to cents.", "no, round half up, we are a shop"]


def test_a_plan_sent_by_a_button_stays_the_agents() -> None:
    turns, _ = read(LEGACY)
    (turn,) = [turn for turn in turns if turn.person.startswith("PLEASE")]
    assert turn.person == "PLEASE IMPLEMENT THIS PLAN:"
    assert (turn.steps[1].author, turn.steps[1].kind) == (Author.AGENT, Kind.META)
    assert "canary" in turn.steps[1].text


def test_a_prompt_of_images_alone_says_so() -> None:
    turns, _ = read(rollout(meta(), event("user_message", message="", images=["data:x"])))
    assert typed(turns) == ["[image]"]


def test_the_frame_around_an_image_is_not_typed() -> None:
    turns, _ = read(rollout(meta(), message("user", "<image name=[Image #1]>", "</image>", "wider"), *prompt("x")[:0]))
    assert typed(turns) == ["wider"]


@pytest.mark.parametrize("native_id", [LEGACY, EVENTFUL])
def test_a_review_is_a_command_and_the_reviewers_instruction_is_nobodys_words(native_id: str) -> None:
    turns, facts = read(native_id)
    reviews = [turn for turn in turns if turn.steps[0].kind is Kind.COMMAND]
    assert [turn.steps[0].text for turn in reviews] == ["/review current changes"]
    assert reviews[0].author is Author.PERSON
    assert reviews[0].person == ""
    assert not any("prioritized" in words for words in typed(turns))
    assert facts.commands == ("/review",)


def test_instructions_for_a_review_are_the_persons_words() -> None:
    turns, _ = read(EVENTFUL)
    assert "Look only at rounding." in typed(turns)


def test_answers_to_questions_are_the_persons_with_their_notes() -> None:
    turns, _ = read(ASKED)
    (answer,) = [step for step in steps(turns) if step.kind is Kind.ANSWER]
    assert (answer.author, answer.text) == (Author.PERSON, "EUR\nbecause euros are simpler")


def test_a_question_nobody_could_answer_is_no_answer() -> None:
    asked = call("request_user_input", {"questions": []}, "request_user_input is unavailable in Default mode")
    turns, _ = read(rollout(meta(), *prompt("ask"), *asked))
    assert [step.kind for step in steps(turns)] == [Kind.PROMPT, Kind.TOOL_CALL]
    assert steps(turns)[1].call is not None
    assert steps(turns)[1].call.error


@pytest.mark.parametrize("native_id", [LEGACY, EVENTFUL])
def test_an_interruption_written_twice_is_one(native_id: str) -> None:
    turns, _ = read(native_id)
    assert [step.author for step in steps(turns) if step.kind is Kind.INTERRUPT] == [Author.PERSON]


def test_two_interruptions_in_a_row_are_two() -> None:
    stop = (message("user", "<turn_aborted>\nx\n</turn_aborted>"), event("turn_aborted", reason="interrupted"))
    again = event("task_started", turn_id="u2")
    turns, _ = read(rollout(meta(), *prompt("go"), *stop, again, *stop))
    assert [step.kind for step in steps(turns)].count(Kind.INTERRUPT) == 2


def test_a_turn_that_ended_otherwise_was_not_interrupted() -> None:
    turns, _ = read(rollout(meta(), *prompt("go"), event("turn_aborted", reason="budget_limited")))
    assert [(step.kind, step.text) for step in steps(turns)][1:] == [(Kind.META, "turn ended: budget_limited")]


def test_a_shell_line_of_the_persons_own_is_a_command() -> None:
    turns, _ = read(EVENTFUL)
    ran = [(step.author, step.kind, step.text) for step in steps(turns) if step.text in ("! cat a.txt", "hi")]
    assert ran == [(Author.PERSON, Kind.COMMAND, "! cat a.txt"), (Author.TOOL, Kind.META, "hi")]


def test_the_agents_words_and_thoughts_are_there_once() -> None:
    turns, _ = read(LEGACY)
    first = turns[1]
    assert first.agent == "I will look at the basket first."
    assert [step.text for step in first.steps if step.kind is Kind.THINKING] == ["**Looking at the basket**"]
    assert [turn.agent for turn in turns if turn.person.startswith("PLEASE")] == ["Rolling out."]  # citations cut off


def test_a_compaction_without_readable_words_is_a_mark() -> None:
    turns, _ = read(LEGACY)
    assert [step.text for step in steps(turns)].count("context compacted") == 1
    assert not [step for step in steps(turns) if step.kind is Kind.SUMMARY]
    assert typed(turns).count("Round the basket total to cents.") == 1  # the replaced history is not read again


def test_a_readable_summary_is_a_summary_and_not_said_to_anyone() -> None:
    turns, _ = read(EVENTFUL)
    (summary,) = [step for step in steps(turns) if step.kind is Kind.SUMMARY]
    assert (summary.author, summary.text) == (Author.AGENT, "thanks")
    assert [step.text for step in steps(turns) if step.kind is Kind.TEXT].count("thanks") == 1


def test_a_rollback_is_marked_and_what_was_withdrawn_stays() -> None:
    turns, _ = read(LEGACY)
    assert "rolled back, turns withdrawn: 1" in [step.text for step in steps(turns)]
    assert "PLEASE IMPLEMENT THIS PLAN:" in typed(turns)


def test_what_went_wrong_with_the_service_is_an_error() -> None:
    turns, _ = read(LEGACY)
    assert [step.text for step in steps(turns) if step.kind is Kind.ERROR] == ["You have hit your usage limit."]


def test_a_task_from_another_agent_is_a_spawned_agents_prompt() -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "t0", "agent_path": "/lead/ada"}}}
    letter = "Message Type: {}\nTask name: /lead/ada\nSender: /lead\nPayload:\n{}"
    task = {"author": "/lead", "recipient": "/lead/ada", "content": [{"text": letter.format("NEW_TASK", "count")}]}
    told = {"author": "/lead", "recipient": "/lead/ada", "content": [{"text": letter.format("MESSAGE", "hurry")}]}
    turns, facts = read(
        rollout(
            meta(source=spawn, agent_path="/lead/ada"), item("agent_message", **task), item("agent_message", **told)
        )
    )
    assert [(turn.author, [step.text for step in turn.steps]) for turn in turns] == [
        (Author.PROGRAM, ["count", "hurry"])
    ]
    assert facts.parent_native_id == "t0"


def test_what_a_helper_reports_is_neither_the_agents_nor_a_persons() -> None:
    report = {"author": "/lead/ada", "recipient": "/lead", "content": [{"text": "Message Type: MESSAGE\nPayload:\n3"}]}
    turns, _ = read(rollout(meta(), *prompt("count"), item("agent_message", **report)))
    assert [(step.author, step.text) for step in steps(turns)][1:] == [(Author.PROGRAM, "3")]
    assert turns[0].agent == ""


def test_what_stands_before_the_first_prompt_is_turn_zero() -> None:
    turns, _ = read(LEGACY)
    assert (turns[0].n, turns[0].author, turns[0].person) == (0, Author.SYSTEM, "")
    assert turns[0].steps[0].text.startswith("# AGENTS.md")
    turns, _ = read(rollout(meta(), record("world_state", full=True), *prompt("hello")))
    assert [turn.n for turn in turns] == [1]
