"""`lane catch`: read closed windows for what is worth remembering; `next` and `submit` hand them to an agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import click

from memlane.domain import Memory, State
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.catch_agent import next_, submit
from memlane.surfaces.cli.catch_pause import pause, resume, skip
from memlane.surfaces.cli.catch_setup import estimated, setup
from memlane.surfaces.cli.frame import Screen, VerbGroup
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import lasted, many, one_line
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app.catch import CatchReport

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
        improved = lane.catch.improve() if not (report.runs or report.unread or chosen) else ()
    _told(screen, report)
    if improved and not screen.json:
        screen.say(f"{many(len(improved), 'memory', 'memories')} improved: when they matter")
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
        waits = {"probation": report.probation or None, "released": [memory.id for memory in report.released]}
        screen.emit("lane.catch/1", data, meta | waits | {"seconds": round(report.seconds, 3)})
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
    if report.probation:
        screen.note(report.probation)
    if report.released:
        screen.say(f"{many(len(report.released), 'held memory is', 'held memories are')} active now: probation is over")
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
