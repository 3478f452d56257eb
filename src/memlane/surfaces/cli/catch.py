"""`lane catch`: read closed windows for what is worth remembering; `next` and `submit` hand them to an agent."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, cast

import click

from memlane.domain import Memory, State
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.catch_pause import pause, resume, skip
from memlane.surfaces.cli.catch_setup import estimated, setup
from memlane.surfaces.cli.frame import Screen, VerbGroup
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import lasted, many, one_line
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app.catch import Assignment, AssignmentReceipt, CatchReport

NOT_TAKEN = 2
NOTHING = '{"memories": []}'


@frame.command("next", examples="lane catch next\nlane catch next --short\nlane catch next --run r_7f3k --json")
@click.option("--run", "runs", multiple=True, metavar="RUN", help="Only windows of this run.")
@click.option(
    "--as", "by", default="", metavar="NAME", help="Your name as reader; the same name gets the same window again."
)
@click.option("--short", is_flag=True, help="Leave out the instructions; they are the same for every window.")
def next_(screen: Screen, runs: tuple[str, ...], by: str, short: bool) -> None:
    """Print one window to read: instructions, related memories, the window itself, and how to answer."""
    with screen.lane() as lane:
        chosen = [lane.runs.get(screen.meant(run)).id for run in runs]
        handed = lane.catch.assignments.next(by, chosen)
        if handed is None:
            _all_read(screen)
        elif screen.json:
            screen.emit("lane.catch.next/1", _document(handed, short=short), {"open": True})
        else:
            _print(screen, handed, short=short)


def _all_read(screen: Screen) -> None:
    if screen.json:
        screen.emit("lane.catch.next/1", None, {"open": False})
    else:
        screen.line("Nothing to read: every finished window has been read or is with another agent. You are done.")


def _document(handed: Assignment, *, short: bool) -> dict[str, object]:
    window = handed.window
    return {
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


def _print(screen: Screen, handed: Assignment, *, short: bool) -> None:
    again = " You were given it before and have not answered yet." if handed.again else ""
    screen.line(f"Window {handed.token}: read it and answer with `lane catch submit` within 30 minutes.{again}")
    screen.line()
    if not short:
        screen.line(handed.instructions)
        screen.line()
    screen.line(handed.text)
    screen.line()
    screen.line("Answer with one command, the JSON object on its standard input:")
    screen.line()
    screen.line(f"lane catch submit {handed.token} <<'LANE'")
    screen.line('{"memories": [ … ]}')
    screen.line("LANE")
    screen.line()
    screen.line(f"If there is nothing to keep: lane catch submit {handed.token} --nothing")


@frame.command("submit", examples="lane catch submit w_7f3kq --nothing\nlane catch submit w_7f3kq --file answer.json")
@click.argument("token")
@click.option(
    "--file", type=click.File("rb"), default=None, help="Read the answer from this file instead of standard input."
)
@click.option("--nothing", is_flag=True, help="This window has nothing to keep.")
def submit(screen: Screen, token: str, file: IO[bytes] | None, nothing: bool) -> None:
    """Submit what you found in a window; prints what was kept, held or refused, and why."""
    text = NOTHING if nothing else _answer(file, token)
    with screen.lane() as lane:
        taken = lane.catch.assignments.submit(token, text)
        if screen.json:
            screen.emit("lane.catch.submit/1", _outcome(taken), {"more": taken.more})
        else:
            _tell_taken(screen, taken)
    if taken.problems:
        screen.leave(NOT_TAKEN)


def _answer(file: IO[bytes] | None, token: str) -> str:
    if file is None and sys.stdin.isatty():
        raise UsageError(
            "the answer is read from standard input", hint=f"lane catch submit {token} <<'LANE' … LANE, or --nothing"
        )
    return (file or sys.stdin.buffer).read().decode("utf-8", "replace")


def _outcome(taken: AssignmentReceipt) -> dict[str, object]:
    made = taken.caught.made
    return {
        "token": taken.token,
        "taken": not taken.problems,
        "made": [of_memory(memory) for memory in made if memory.state is State.ACTIVE],
        "held": [of_memory(memory) for memory in made if memory.state is not State.ACTIVE],
        "again": [of_memory(memory) for memory in taken.caught.again],
        "refused": [{"by": r.by, "rule": r.rule, "place": r.place, "says": r.says} for r in taken.caught.refused],
        "problems": [{"field": p.field, "what": p.what, "fix": p.fix} for p in taken.problems],
        "already": taken.already,
    }


def _tell_taken(screen: Screen, taken: AssignmentReceipt) -> None:
    if taken.problems:
        screen.line(f"Not taken: {many(len(taken.problems), 'problem')}. Nothing was saved; the window is still yours.")
        for problem in taken.problems:
            screen.line(f"- {one_line(str(problem))}")
        screen.line(f"Fix them and send the whole object again: lane catch submit {taken.token}")
        return
    if taken.already:
        screen.line(f"Nothing to do: {taken.already}.")
    for memory in taken.caught.made:
        word = "kept" if memory.state is State.ACTIVE else "held for the user to review"
        screen.line(f"{word}: {memory.id} {memory.type.value}: {one_line(memory.title)}")
    for memory in taken.caught.again:
        screen.line(f"seen again: {memory.id} {one_line(memory.title)}")
    for refused in taken.caught.refused:
        screen.line(f"refused ({refused.rule}): {refused.says}")
    if not taken.already and not (taken.caught.made or taken.caught.again or taken.caught.refused):
        screen.line("Read: nothing new in this window.")
    more = "Next one: lane catch next --short" if taken.more else "That was the last one. You are done."
    screen.line(more)


PARTLY = 6
BY = ("embedded", "model", "agent")
_PLACE = re.compile(r"^r_\w+#t\d+\.\d+: ")
_VARIES = re.compile(r"r_\w+#t\d+\.\d+|\(\d+ in a row; asked again in [^)]*\)|[ :]+")


@frame.command(
    kind=VerbGroup, examples="lane catch\nlane catch --run r_7f3k --with model\nlane catch --estimate --with model"
)
@click.option("--run", "runs", multiple=True, metavar="RUN", help="Only this run; may be given more than once.")
@click.option("--with", "by", type=click.Choice(BY), default=None, help="Who reads; default: the catch.with setting.")
@click.option(
    "--estimate", is_flag=True, help="Show what a model would cost (windows, tokens, dollars) and read nothing."
)
@click.option("--again", is_flag=True, help="Include windows that were set aside after three failures.")
def command(screen: Screen, runs: tuple[str, ...], by: str | None, estimate: bool, again: bool) -> None:
    """Read new runs and save what should be remembered."""
    with screen.lane() as lane:
        chosen = [lane.runs.get(screen.meant(run)).id for run in runs]
        if estimate:
            estimated(screen, lane, chosen)
            return
        if by == "agent":
            raise UsageError("an agent reads one window at a time", hint="lane catch next, then lane catch submit")
        if again:
            lane.catch.model.try_again(chosen)
        with ProgressBar(screen.columns, quiet=screen.json) as progress:
            report = lane.catch.run(
                by or "",
                chosen,
                on=lambda n, of: progress.show(ProgressStep("catching", n, of, n / max(1, of))),
                anew=True,
            )
    _told(screen, report)
    if report.unread:
        screen.leave(PARTLY)


def _told(screen: Screen, report: CatchReport) -> None:
    made, kept = report.kept.made, report.kept
    active = [memory for memory in made if memory.state is State.ACTIVE]
    held = [memory for memory in made if memory.state is State.HELD]
    if screen.json:
        data = {
            "made": [of_memory(memory) for memory in active],
            "held": [of_memory(memory) for memory in held],
            "again": [of_memory(memory) for memory in kept.again],
            "refused": [{"by": r.by, "rule": r.rule, "place": r.place} for r in kept.refused],
        }
        meta = {"runs": report.runs, "windows": kept.windows, "open": report.left, "unread": list(report.unread)}
        screen.emit("lane.catch/1", data, meta | {"seconds": round(report.seconds, 3)})
        return
    screen.remember_list([memory.id for memory in made])
    for number, memory in enumerate(made, 1):
        screen.line(_line(screen, number, memory))
    if not (report.runs or report.unread):
        screen.say("Nothing new to read.")
        return
    what = f"{many(len(active), 'memory', 'memories')}, {len(held)} held, {len(kept.again)} seen again"
    rules = ", ".join(dict.fromkeys(one.rule for one in kept.refused))
    refused = f", {len(kept.refused)} refused ({rules})" if kept.refused else ""
    screen.say(f"{what}{refused}: {many(kept.windows, 'window')} in {lasted(report.seconds)}")
    for why in _gathered(report.unread):
        screen.note(f"still open: {why}")
    if held:
        screen.say("Held memories are not recalled until you approve them: lane mem review")


def _gathered(unread: Sequence[str]) -> Iterator[str]:
    """What keeps many windows open is said once, in its latest words."""
    alike = dict[str, list[str]]()
    for why in unread:
        alike.setdefault(_VARIES.sub("", why), []).append(why)
    for whys in alike.values():
        *_others, last = whys
        yield f"{many(len(whys), 'window')}: {_PLACE.sub('', last)}" if len(whys) > 1 else last


def _line(screen: Screen, number: int, memory: Memory) -> str:
    mark = "held  " if memory.state is State.HELD else ""
    return screen.cut(f"{number:>3}  {memory.type.value:<14}{mark}{one_line(memory.title)}", screen.columns)


for verb in (next_, submit, setup, pause, resume, skip):
    cast(click.Group, command).add_command(verb)
