"""Prompts typed while the agent was busy: once each, at the place where the agent was told."""

from __future__ import annotations

from memlane.domain import Kind
from tests.rooms.agents.claude_code_records import (
    Json,
    agent,
    attachment,
    calls,
    queue,
    read,
    recorded,
    result,
    says,
    typed,
    user,
)

NOTICE = "<task-notification><task-id>b1</task-id></task-notification>"


def busy() -> list[Json]:
    return [typed("go"), agent(calls("c1", "Bash", command="make"))]


def attached(prompt: object, **more: object) -> Json:
    return attachment("queued_command", prompt=prompt, commandMode="prompt", origin={"kind": "human"}, **more)


def test_one_that_exists_nowhere_else_is_a_turn_where_it_left_the_queue() -> None:
    told = read(*busy(), queue("enqueue", 3, "faster"), queue("remove", 4), result("c1", "ok"), agent(says("Yes.")))
    assert told.prompts == ["go", "faster"]
    assert told.turns[0].steps[-1].call
    assert told.turns[0].steps[-1].call.result == "ok"
    assert told.turns[1].steps[0].line == 4
    assert told.turns[1].agent == "Yes."


def test_one_that_a_later_summary_quotes_is_still_a_prompt() -> None:
    assert "use Decimal, never floats" in recorded("-home-dev-old-shop/aaaa").prompts


def test_one_that_is_dequeued_comes_back_as_a_user_record() -> None:
    told = read(*busy(), queue("enqueue", 3, "next"), queue("dequeue", 4), user("next"), agent(says("Ok.")))
    assert told.prompts == ["go", "next"]


def test_one_taken_back_was_never_said() -> None:
    told = read(*busy(), queue("enqueue", 3, "wait"), queue("popAll", 4, "wait"), queue("remove", 5), agent(says(".")))
    assert told.prompts == ["go"]


def test_one_still_waiting_was_never_said() -> None:
    assert read(*busy(), queue("enqueue", 3, "later"), result("c1", "ok"), agent(says("Done."))).prompts == ["go"]


def test_one_dropped_by_a_hook_was_never_said() -> None:
    dropped = queue("remove", 4, "secret", reason="dropped_by_hook")
    assert read(*busy(), queue("enqueue", 3, "secret"), dropped, agent(says("Done."))).prompts == ["go"]


def test_one_removed_and_attached_is_one_turn_in_either_order() -> None:
    put, taken = queue("enqueue", 3, "faster"), queue("remove", 4, "faster")
    for first, second in ((taken, attached("faster")), (attached("faster"), taken)):
        told = read(*busy(), put, result("c1", "ok"), first, second, agent(says("Yes."), message="m2"))
        assert told.prompts == ["go", "faster"]


def test_an_attachment_that_comes_after_the_answer_is_no_second_prompt() -> None:
    taken = queue("remove", 4, "faster")
    told = read(*busy(), queue("enqueue", 3, "faster"), taken, agent(says("Yes."), message="m2"), attached("faster"))
    assert told.prompts == ["go", "faster"]


def test_one_attached_without_a_word_in_the_queue_is_a_turn() -> None:
    told = read(*busy(), result("c1", "ok"), attached([says("faster")]), agent(says("Yes."), message="m2"))
    assert told.prompts == ["go", "faster"]


def test_a_removal_written_down_too_early_waits_for_its_attachment() -> None:
    told = read(
        typed("go"),
        queue("enqueue", 2, "faster"),
        queue("remove", 30, "faster"),  # the client writes its queue at once and messages when they are whole
        agent(calls("c1", "Bash", command="make")),
        result("c1", "ok"),
        attached("faster"),
        agent(says("Yes."), message="m2"),
    )
    assert [turn.person for turn in told.turns] == ["go", "faster"]
    assert [step.kind for step in told.turns[0].steps] == [Kind.PROMPT, Kind.TOOL_CALL]


def test_the_same_words_twice_are_two_prompts() -> None:
    told = read(
        *busy(),
        queue("enqueue", 3, "again"),
        queue("remove", 4),
        agent(says("Yes."), message="m2"),
        queue("enqueue", 6, "again"),
        queue("remove", 7),
        agent(says("Yes, yes."), message="m3"),
    )
    assert told.prompts == ["go", "again", "again"]


def test_notices_of_background_work_are_no_prompts() -> None:
    notice = attachment("queued_command", prompt=NOTICE, commandMode="task-notification")
    told = read(*busy(), queue("enqueue", 3, NOTICE), queue("remove", 4), notice, agent(says("I see."), message="m2"))
    assert told.prompts == ["go"]
    assert [step.text for step in told.of(Kind.META)] == [NOTICE]


def test_a_prompt_overtakes_the_notices_before_it() -> None:
    told = read(
        *busy(), queue("enqueue", 3, NOTICE), queue("enqueue", 4, "faster"), queue("remove", 5), agent(says("."))
    )
    assert told.prompts == ["go", "faster"]


def test_a_queued_command_is_a_command_and_starts_nothing() -> None:
    told = read(*busy(), queue("enqueue", 3, "/exit"), queue("remove", 4), agent(says("Ok."), message="m2"))
    assert [turn.person for turn in told.turns] == ["go"]
    assert [step.text for step in told.of(Kind.COMMAND)] == ["/exit"]


def test_one_not_answered_yet_stays_in_the_last_turn() -> None:
    told = read(*busy(), queue("enqueue", 3, "faster"), queue("remove", 4))
    assert [turn.person for turn in told.turns] == ["go\nfaster"]
