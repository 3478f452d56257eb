"""What a reader sees of a Step: what can teach something, in the Step's own words, and nothing that carries nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.catch.quotes import standing
from memlane.catch.windows.borders import WindowOrigin, closed
from memlane.catch.windows.lines import GAP, announces, gist
from memlane.catch.windows.sight import GLANCE, LOOKS, MIDWAY, Sight, sight_of, sights
from memlane.domain import Author, Kind, Project, Step, ToolCall, Window
from tests.examples import examples
from tests.rooms.catch.small_runs import START, agent, call, prompt, run, shell

ABOUT = WindowOrigin("r_1", "u", "claude-code", 1, Project("p", "p"))

LONG = timedelta(days=1)


def read(*steps: Step) -> Window:
    return closed(run(*steps), ABOUT, LONG).windows[0]


def seen(*steps: Step) -> list[Sight]:
    return [sight for _spot, _step, sight in sights(read(*steps))]


def edit(path: str, old: str, new: str, **more: object) -> Step:
    given_ = {"file_path": path, "old_string": old, "new_string": new, **more}
    return Step(0, Author.TOOL, Kind.TOOL_CALL, 0, "", ToolCall("Edit", given_, "done", False, (path,), True))


def test_an_edit_is_its_file_and_its_first_new_line() -> None:
    body = "def a():\n" + "    pass\n" * 50
    (_asked, sight) = seen(prompt("go"), edit("src/x.py", "def a():\n", body + "def b():\n" + "    return 1\n" * 50))
    assert sight == Sight("agent called Edit", "src/x.py\npass")


def test_where_a_long_edit_was_cut_is_no_line_of_it() -> None:
    (_asked, sight) = seen(prompt("go"), edit("src/x.py", "old", "1 = 1\n" * 200 + "real = 2"))
    assert sight.said == "src/x.py\nreal = 2"


def test_edits_of_one_file_in_a_row_are_one_line_with_their_count() -> None:
    edits = [edit("src/x.py", "a", f"line number {n}") for n in range(3)]
    (_asked, sight, other) = seen(prompt("go"), *edits, edit("src/y.py", "a", "other"))
    assert (sight.who, sight.said) == ("agent called Edit (3 times)", "src/x.py\nline number 0")
    assert other.who == "agent called Edit"


def test_looks_in_a_row_are_one_line_and_show_nothing_they_found() -> None:
    reads = [call("Read", "error: " * 50, file_path=f"src/{n}.py") for n in range(LOOKS + 2)]
    (_asked, sight) = seen(prompt("go"), *reads, shell("cat notes.md", "a fatal page"), shell("git log", "error"))
    assert sight.who == "agent looked at"
    assert sight.said.startswith("src/0.py; src/1.py;")
    assert sight.said.endswith("; 4 more")
    assert sight.printed == ""


def test_a_look_that_failed_says_why() -> None:
    (_asked, sight) = seen(prompt("go"), shell("cat notes.md", "cat: notes.md: No such file or directory", error=True))
    assert (sight.who, sight.printed) == ("agent called Bash (failed)", "cat: notes.md: No such file or directory")


@pytest.mark.parametrize("name", ["TodoWrite", "todowrite", "TaskUpdate", "update_plan", "mcp__x__write_todos"])
def test_a_list_of_the_agents_own_is_not_seen(name: str) -> None:
    assert sight_of(call(name, "ok", todos=[{"content": "write tests"}])) is None


def test_a_question_to_the_person_and_its_answer_are_seen() -> None:
    asked = call("AskUserQuestion", "Which database? = PostgreSQL", questions=[{"question": "Which database?"}])
    sight = sight_of(asked)
    assert sight is not None
    assert (sight.said, sight.printed) == ("Which database?", "Which database? = PostgreSQL")


def test_of_a_long_output_the_lines_that_name_trouble_are_seen() -> None:
    bars = "\n".join(f"{n} % ━━━━━━━━" for n in range(100))
    printed = f"collected\n{bars}\nE   AssertionError: 1 != 2\n{bars}\n1 failed, 99 passed in 3 s"
    failed, piped = shell("pytest", printed, error=True), shell("pytest | tail", printed)
    for step in (failed, piped):
        sight = sight_of(step)
        assert sight is not None
        assert sight.printed == "E   AssertionError: 1 != 2\n1 failed, 99 passed in 3 s"
    worked = sight_of(shell("make", f"building\n{bars}\ndone"))
    assert worked is not None
    assert worked.printed == ""


def test_what_a_person_said_is_never_cut_and_the_agents_last_word_stays() -> None:
    said, last, midway = "I prefer this. " * 200, "And so it is. " * 100, "It turned out that " * 100
    shown = seen(prompt(said), agent(midway), shell("make", "ok"), agent(last), prompt("thanks"))
    assert (shown[0].said, shown[3].said) == (said.strip(), last.strip())
    assert len(shown[1].said) <= MIDWAY + len(GAP)


@pytest.mark.parametrize("text", ["Now let me run the tests.", "I'll check the logs:", "Let me read it"])
def test_an_announcement_before_a_call_is_not_seen(text: str) -> None:
    assert [sight.said for sight in seen(prompt("go"), agent(text), shell("make"), agent("done"))] == [
        "go",
        "make",
        "done",
    ]
    assert [sight.said for sight in seen(prompt("go"), agent(text))] == ["go", text]  # its last word


@pytest.mark.parametrize(
    "text",
    [
        "Let me use pnpm instead.",
        "I'll stop: the port is wrong.",
        "I will not touch main.",
        "Let me check. The port was taken.",
        "Ich lese die Datei.",
    ],
)
def test_a_reason_is_no_announcement(text: str) -> None:
    assert not announces(text)


POINT = "The cause is elsewhere: the gateway drops files above 1 MB, because its buffer is fixed."


def test_of_a_long_answer_the_sentence_that_says_why_stays() -> None:
    text = f"{'I read the importer and its rows. ' * 20}{POINT} {'I changed the reader and its test. ' * 20}"
    (_asked, midway, *_rest) = seen(prompt("go"), agent(text), shell("make", "fine"), agent("Done."))
    assert midway.said.count(GAP) == 2
    assert POINT in midway.said
    assert (midway.said[:20], midway.said[-20:]) == (text[:20], text.strip()[-20:])


@pytest.mark.parametrize("text", ["short, because it is", "a b " * 500, f"{POINT} " * 50, "x" * 900, "", "\n" * 900])
def test_the_gist_takes_no_more_room_and_is_made_of_the_text(text: str) -> None:
    made = gist(text, MIDWAY)
    assert len(made) <= MIDWAY + 3 * len(GAP)
    assert all(part.strip() in text for part in made.split(GAP))


def test_context_is_what_was_asked_and_the_last_word_on_it() -> None:
    work = [shell(f"make {n}", "error: no rule", error=True) for n in range(8)]
    later = replace(prompt("and now?"), at=START + timedelta(hours=1))
    window = closed(run(prompt("a" * 900), agent("first"), *work, agent("second"), later), ABOUT, LONG).windows[1]
    context = [sight for spot, _step, sight in sights(window) if spot < window.first]
    assert [sight.said[:6] for sight in context] == ["aaaaaa", "second"]
    assert len(context[0].said) <= GLANCE + len(GAP)


TEXTS = st.text("ab \n.:/`<", max_size=60) | st.sampled_from(
    ["error: no such file\n" * 9, "```\n" + "code\n" * 20 + "```"]
)
INPUTS = st.dictionaries(
    st.sampled_from(["command", "file_path", "pattern", "new_string", "old_string", "input", "todos"]),
    TEXTS | st.lists(TEXTS, max_size=3),
    max_size=4,
)


@st.composite
def a_step(draw: st.DrawFn) -> Step:
    if draw(st.booleans()):
        return agent(draw(TEXTS))
    tool = draw(st.sampled_from(["Bash", "Edit", "Read", "Agent", "AskUserQuestion", "x"]))
    made = ToolCall(tool, draw(INPUTS), draw(TEXTS), draw(st.booleans()), (), draw(st.booleans()))
    return Step(0, Author.TOOL, Kind.TOOL_CALL, 0, "", made)


def pieces(sight: Sight) -> Sequence[str]:
    texts = (sight.said, sight.printed)
    return [part for text in texts for line in text.splitlines() for part in line.split(GAP.strip()) if part.strip()]


@given(a_step())
@settings(max_examples=examples(100), deadline=None)
def test_whatever_is_seen_of_a_step_can_be_quoted_from_it(step: Step) -> None:
    sight = sight_of(step)
    for piece in pieces(sight) if sight else ():
        assert standing(piece, step)
