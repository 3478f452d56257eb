"""`lane catch next` and `submit`: windows for the agent that reads, and what became of its answers."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING

import click

from memlane.domain import State
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import many, one_line
from memlane.surfaces.documents import of_memory
from memlane.surfaces.phrases import receipt_lines

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.catch import Assignment, AssignmentReceipt, CatchProgress, MemoryQuestion

NOT_TAKEN = 2
NOTHING = '{"memories": []}'
MOST_AT_ONCE = 20
EXAMPLES = """
lane catch next
lane catch next --short --count 3
lane catch next --run r_7f3k --json
"""


@frame.command("next", examples=EXAMPLES)
@click.option("--run", "runs", multiple=True, metavar="RUN", help="Only windows of this run.")
@click.option(
    "--as", "by", default="", metavar="NAME", help="Your name as reader; the same name gets the same window again."
)
@click.option("--count", type=click.IntRange(1, MOST_AT_ONCE), default=1, metavar="N", help="So many windows at once.")
@click.option("--short", is_flag=True, help="Leave out the instructions; they are the same for every window.")
def next_(screen: Screen, runs: tuple[str, ...], by: str, count: int, short: bool) -> None:
    """Print a window to read: instructions, related memories, the window itself, and how to answer."""
    with screen.lane() as lane:
        chosen = [lane.runs.get(screen.meant(run)).id for run in runs]
        handed = lane.catch.assignments.several(by, chosen, count)
        question = None if handed or chosen else lane.catch.assignments.question(by)
        progress = lane.catch.assignments.progress(chosen)
        if screen.json:
            _emit(screen, handed, question, progress, short=short)
        elif question is not None:
            _ask(screen, question)
        elif handed:
            _print(screen, handed, progress, short=short)
        else:
            screen.line("Nothing to read: every finished window has been read or is with another agent. You are done.")


def _emit(
    screen: Screen,
    handed: Sequence[Assignment],
    question: MemoryQuestion | None,
    progress: CatchProgress,
    *,
    short: bool,
) -> None:
    documents = [_window(one, short=short) for one in handed] or ([_question(question)] if question else [])
    first, *others = documents or [None]
    counted = {"read": progress.read, "left": progress.left, "whole": progress.whole}
    screen.emit("lane.catch.next/1", first, {"open": first is not None, "others": others, **counted})


def _window(handed: Assignment, *, short: bool) -> dict[str, object]:
    window = handed.window
    return {
        "kind": "window",
        "token": handed.token,
        "until": handed.until,
        "run": window.run,
        "first": str(window.first),
        "last": str(window.last),
        "triggers": [{"signal": t.signal, "first": str(t.first), "last": str(t.last)} for t in window.triggers],
        "instructions": "" if short else handed.instructions,
        "window": handed.text,
        "nearby": [{"id": m.id, "type": m.type, "title": m.title} for m in handed.nearby],
        "schema": {} if short else handed.schema,
        "submit": f"lane catch submit {handed.token}",
    }


def _question(asked: MemoryQuestion) -> dict[str, object]:
    """In the shape of a window, with the memories in its place."""
    return {
        "kind": "memories",
        "token": asked.token,
        "until": asked.until,
        "run": "",
        "first": "",
        "last": "",
        "triggers": [],
        "instructions": asked.instructions,
        "window": asked.text,
        "nearby": [{"id": m.id, "type": m.type, "title": m.title} for m in asked.memories],
        "schema": asked.schema,
        "submit": f"lane catch submit {asked.token}",
    }


def _print(screen: Screen, handed: Sequence[Assignment], progress: CatchProgress, *, short: bool) -> None:
    if not short:
        screen.line(handed[0].instructions)
        screen.line()
    for number, one in enumerate(handed, 1):
        again = " You were given it before and have not answered yet." if one.again else ""
        screen.line(f"Window {progress.of(number)}, token {one.token}: answer it within 30 minutes.{again}")
        screen.line()
        screen.line(one.text)
        screen.line()
    each = "each of them " if len(handed) > 1 else ""
    screen.line(f"Answer {each}with one command, the JSON object on its standard input:")
    for one in handed:
        screen.line()
        screen.line(f"lane catch submit {one.token} <<'LANE'")
        screen.line('{"memories": [ … ]}')
        screen.line("LANE")
    screen.line()
    screen.line(f"If there is nothing to keep: lane catch submit {handed[0].token} --nothing")
    screen.line("The answer to your last window brings the next one; --last stops that.")


def _ask(screen: Screen, asked: MemoryQuestion) -> None:
    screen.line(f"No window is open. {many(len(asked.memories), 'memory', 'memories')} can be improved:")
    for line in ("", asked.instructions, "", asked.text, ""):
        screen.line(line)
    screen.line(f"lane catch submit {asked.token} <<'LANE'")
    screen.line('{"memories": [ … ]}')
    screen.line("LANE")


def _hand(screen: Screen, onward: Assignment | MemoryQuestion, progress: CatchProgress) -> None:
    if onward.kind == "window":
        _print(screen, [onward], progress, short=True)
    else:
        _ask(screen, onward)


@frame.command("submit", examples="lane catch submit w_7f3kq --nothing\nlane catch submit w_7f3kq --file answer.json")
@click.argument("token")
@click.option(
    "--file", type=click.File("rb"), default=None, help="Read the answer from this file instead of standard input."
)
@click.option("--nothing", is_flag=True, help="This window has nothing to keep, or nothing more.")
@click.option("--last", is_flag=True, help="Do not hand out the next window.")
def submit(screen: Screen, token: str, file: IO[bytes] | None, nothing: bool, last: bool) -> None:
    """Submit what you found in a window; prints what was kept, held or refused, and why, and the next window."""
    text = NOTHING if nothing else _answer(file, token)
    with screen.lane() as lane:
        taken = lane.catch.assignments.submit(token, text)
        onward = None if last or taken.problems else lane.catch.assignments.onward(taken.token)
        progress = lane.catch.assignments.progress()
        if screen.json:
            document = {**_outcome(taken), "next": _next(onward)}
            screen.emit("lane.catch.submit/1", document, {"more": progress.left > 0, "left": progress.left})
        else:
            _tell(screen, lane, taken, onward, progress)
    if taken.problems:
        screen.leave(NOT_TAKEN)


def _next(onward: Assignment | MemoryQuestion | None) -> Mapping[str, object] | None:
    if onward is None:
        return None
    return _window(onward, short=True) if onward.kind == "window" else _question(onward)


def _answer(file: IO[bytes] | None, token: str) -> str:
    if file is None and sys.stdin.isatty():
        raise UsageError(
            "the answer is read from standard input", hint=f"lane catch submit {token} <<'LANE' … LANE, or --nothing"
        )
    return (file or sys.stdin.buffer).read().decode("utf-8", "replace")


def _outcome(taken: AssignmentReceipt) -> dict[str, object]:
    caught = taken.caught
    return {
        "token": taken.token,
        "taken": not taken.problems,
        "made": [of_memory(memory) for memory in caught.made if memory.state is State.ACTIVE],
        "held": [of_memory(memory) for memory in caught.made if memory.state is not State.ACTIVE],
        "again": [of_memory(memory) for memory in caught.again],
        "improved": [of_memory(memory) for memory in caught.improved],
        "replaced": [of_memory(memory) for memory in caught.replaced],
        "left_out": [{"why": one.why, "memory": one.memory or None} for one in caught.omitted],
        "refused": [{"by": r.by, "rule": r.rule, "place": r.place, "says": r.says} for r in caught.refused],
        "problems": [{"field": p.field, "what": p.what, "fix": p.fix} for p in taken.problems],
        "already": taken.already,
    }


def _tell(
    screen: Screen,
    lane: Lane,
    taken: AssignmentReceipt,
    onward: Assignment | MemoryQuestion | None,
    progress: CatchProgress,
) -> None:
    for line in receipt_lines(taken):
        screen.line(one_line(line))
    if taken.problems:
        screen.line(f"Send these again, alone, with the same token: lane catch submit {taken.token}")
        screen.line(f"Or leave them out: lane catch submit {taken.token} --nothing")
    elif onward is not None:
        screen.line()
        _hand(screen, onward, progress)
    elif waiting := lane.catch.assignments.unanswered(taken.token):
        screen.line(f"Still yours to answer: {', '.join(waiting)}")
    elif progress.left:
        screen.line(f"{many(progress.left, 'window')} left: lane catch next --short")
    else:
        screen.line("That was the last one. You are done.")
