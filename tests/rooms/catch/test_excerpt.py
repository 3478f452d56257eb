"""The excerpt: who said it, verbatim, within a budget, and no text gets out of its place."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.catch.excerpt import BUDGET, source_chunk
from memlane.domain import Quote, Spot
from tests.examples import examples
from tests.rooms.catch.small_runs import agent, call, prompt, run, shell, thinking, window


def test_it_says_who_said_what_with_some_steps_around() -> None:
    seen = window(
        run(
            prompt("Send an email to Amy"),
            thinking("formal, I guess"),
            agent("Dear Ms. Hoy,"),
            prompt("No, Amy and I are casual, use a friendly tone"),
            shell("mail amy", "sent"),
        )
    )
    assert source_chunk(seen, [Quote(Spot(2, 1), "Amy and I are casual")]) == (
        "**person** (prompt)\n\n> Send an email to Amy\n\n**agent** (text)\n\n> Dear Ms. Hoy,\n\n"
        "**person** (prompt)\n\n> No, Amy and I are casual, use a friendly tone\n\n"
        "**tool** `Bash`\n\n```text\ncommand: mail amy\n```\n\n```text\nsent\n```"
    )


def test_what_is_ours_is_left_out() -> None:
    seen = window(
        run(prompt("no, use pnpm"), agent("a note of ours", ours=True), call("lane_recall", "ours", ours=True))
    )
    assert "ours" not in source_chunk(seen, [Quote(Spot(1, 1), "use pnpm")])


def test_a_quoted_thought_is_shown_and_one_beside_it_is_not() -> None:
    seen = window(run(prompt("no, use pnpm"), thinking("they want pnpm"), thinking("let me see"), agent("Right.")))
    chunk = source_chunk(seen, [Quote(Spot(1, 2), "want pnpm")])
    assert "> they want pnpm" in chunk
    assert "let me see" not in chunk


def test_the_quoted_sentence_is_whole_in_the_middle_of_a_long_step() -> None:
    sentence = "No, the port of the ferry service is 8081 and it has been so since spring."
    long = "Many words before it. " * 200 + sentence + " And many words after it." * 200
    chunk = source_chunk(
        window(run(prompt(long), agent("ok " * 400))), [Quote(Spot(1, 1), "port of the ferry service")]
    )
    assert sentence in chunk
    assert len(chunk) <= BUDGET + 200


def test_two_quotes_far_apart_in_one_step_are_both_there() -> None:
    text = "First of all use pnpm. " + "Other things. " * 300 + "Last of all run ruff."
    chunk = source_chunk(window(run(prompt(text))), [Quote(Spot(1, 1), "use pnpm"), Quote(Spot(1, 1), "run ruff")])
    assert "use pnpm" in chunk
    assert "run ruff" in chunk
    assert len(chunk) < BUDGET


def test_the_budget_holds_when_everything_around_is_long() -> None:
    seen = window(run(*(step for n in range(9) for step in (prompt(f"{n} " * 500), shell(f"x {n}", "y " * 5000)))))
    assert len(source_chunk(seen, [Quote(Spot(5, 1), "4 4 4")])) <= BUDGET + 200


TICKS = st.text(alphabet="`~>#* \nab", max_size=60)


@settings(max_examples=examples(50))
@given(TICKS, TICKS, TICKS)
def test_no_text_breaks_out_of_its_place(person: str, given_: str, result: str) -> None:
    seen = window(run(prompt(f"say {person}"), call("Te`st\n# x", f"r {result}", text=f"i {given_}"), agent("done")))
    outside, fence = list[str](), ""
    for line in source_chunk(seen, [Quote(Spot(1, 1), "say")]).splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif opened := re.match(r"(`{3,})text$", line):
            fence = opened[1]
        elif line and not line.startswith(">"):
            outside.append(line)
    assert outside == ["**person** (prompt)", "**tool** `Te_st___x`", "**agent** (text)"]
    assert fence == ""
