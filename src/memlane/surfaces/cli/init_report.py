"""`lane init` after the yes: the first capture and catch, then what was done, left alone, and what to type next."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memlane.domain import Finding, Level, State
from memlane.errors import LaneError
from memlane.surfaces.cli import daemon
from memlane.surfaces.cli.capture import step_of
from memlane.surfaces.cli.init_plan import InitPlan, folded, in_short, nobody, planned
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import lasted, many, one_line, size
from memlane.surfaces.documents import of_finding

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.capture import CaptureReport
    from memlane.app.catch import CatchReport
    from memlane.app.setup import MachineLook, MemoryTotals, NotesRead, Obstacle, PromptSuggestion, Setup, SetupOutcome
    from memlane.surfaces.cli.frame import Screen

Got = TypeVar("Got")


@dataclass(frozen=True, slots=True)
class FirstPass:
    """All that is there after the first look, and what it took. None: it could not be done, `troubles` say why."""

    report: CaptureReport
    caught: CatchReport | None
    noted: NotesRead | None
    known: MemoryTotals
    suggestion: PromptSuggestion | None
    seconds: float
    troubles: tuple[LaneError, ...] = ()

    @property
    def caught_active(self) -> int:
        return sum(m.state is State.ACTIVE for m in self.caught.kept.made) if self.caught else 0

    @property
    def unread(self) -> int:
        """Runs nobody has read for memories yet."""
        return self.caught.left if self.caught else 0


def begin(lane: Lane, here: Path, progress: ProgressBar, *, typed: Path | None, told: str) -> FirstPass:
    """`typed`: prompts of runs that are gone. `told`: an agent that gets notes; a prompt that shows it is looked for.

    A part that fails stops no other.
    """
    began, troubles = time.monotonic(), list[LaneError]()

    def tried(part: Callable[[], Got]) -> Got | None:
        try:
            return None if report.paused else part()
        except LaneError as error:  # what was taken in is taken in
            troubles.append(error)
            return None

    report = lane.capture.sweep(on=lambda made: progress.show(step_of(made)))
    if typed is not None and (rest := tried(lambda: lane.capture.imports.take([typed]))) is not None:
        report = report.and_then(rest)
    caught = tried(
        lambda: lane.setup.first_run.catch(
            here, lambda n, of: progress.show(ProgressStep("catching", n, of, n / max(1, of)))
        )
    )
    noted = tried(lane.setup.first_run.notes)
    known, took = lane.setup.first_run.known(), time.monotonic() - began
    suggestion = tried(lambda: _suggested(lane, here, told, progress)) if told and known.active else None
    return FirstPass(report, caught, noted, known, suggestion, took, tuple(troubles))


def _suggested(lane: Lane, here: Path, told: str, progress: ProgressBar) -> PromptSuggestion | None:
    progress.show(ProgressStep("recalling", 0, 1, 0.0))
    found = lane.setup.first_run.prompt(here, told)
    if found is not None:  # it was promised: the first prompt is not to wait for a daemon that starts
        with suppress(LaneError):
            daemon.begin(lane.config)
    progress.show(ProgressStep("recalling", 1, 1, 1.0))
    return found


def show(screen: Screen, lines: Iterable[str], *, fold: bool = True) -> None:
    """For people; a program gets one document at the end, and a pipe gets every line whole."""
    if screen.json:
        return
    for line in lines:
        for part in folded(line, screen.columns) if fold and screen.terminal else [line]:
            screen.line(part)
    sys.stdout.flush()


def tell_nobody(screen: Screen, installing: Setup, look: MachineLook) -> None:
    if screen.json:
        screen.emit("lane.init/1", [], {"agents": [], "later": []})
    show(screen, nobody(installing, look))


def tell_plan(screen: Screen, installing: Setup, proposal: InitPlan) -> None:
    """`--dry-run`: what would be done, and every file it would touch. A program gets the changes themselves."""
    if screen.json:
        changes = [{"area": c.area, "what": c.what, "diff": c.diff} for c in proposal.plan.changes]
        rows = [Finding(row.area, Level.NOTE, f"{row.where}: {row.what}") for row in installing.rows(proposal.plan)]
        findings = [*rows, *_standing(proposal.plan.in_place, proposal.plan.left_alone, proposal.plan.notes)]
        meta = {**_meta(proposal), "dry_run": True, "changes": changes}
        screen.emit("lane.init/1", [of_finding(finding) for finding in findings], meta)
        return
    if proposal.plan.changes or proposal.plan.left_alone or not screen.config.home.is_dir():
        show(screen, ["", *planned(screen, installing, proposal), ""])
        show(screen, [*in_short(proposal), ""], fold=False)
        show(
            screen,
            ["Nothing was changed. For a line-by-line diff: lane init --dry-run --json, or [d] when `lane init` asks."],
        )
    else:
        show(screen, ["", "Everything is installed."])


def tell(screen: Screen, proposal: InitPlan, done: SetupOutcome, begun: FirstPass) -> None:
    report = begun.report
    if screen.json:
        changed = [Finding(area, Level.OK, "set up") for area in done.changed]
        findings = [*changed, *_standing(done.in_place, done.troubles, done.notes), *_taken(report), *_found(begun)]
        screen.emit("lane.init/1", [of_finding(finding) for finding in findings], {**_meta(proposal), **_known(begun)})
        return
    show(screen, [_done_line(begun), *remembered(begun)])
    show(screen, [f"note  {note}" for note in done.notes if note not in proposal.left_for_person])
    if report.set_aside:
        unread = many(len(report.set_aside), "file")
        text = f"{unread} could not be read; the originals are untouched and Lane will retry."
        show(screen, [f"note  {text} Details: lane doctor --files"])
    show(screen, [f"note  {each.message}{f' ({each.hint})' if each.hint else ''}" for each in begun.troubles])
    complain(screen, done.troubles)
    show(screen, ["", *next_steps(screen, begun)])
    show(screen, to_finish(proposal))


def complain(screen: Screen, troubles: Iterable[Obstacle]) -> None:
    for trouble in troubles:
        screen.say(f"error: {trouble.what}")
        screen.say("  Lane left it unchanged. Everything else was set up.")
        if trouble.hint:
            screen.say(f"  hint: {trouble.hint}")


def _done_line(begun: FirstPass) -> str:
    report, took = begun.report, lasted(begun.seconds)
    if not report.changes:
        return f"done  nothing new in {many(report.files_seen, 'file')}, in {took}"
    turns = sum(change.turns_new for change in report.changes)
    agents = {change.run.agent for change in report.changes}
    what = [many(len(report.changes), "run"), many(turns, "turn"), size(report.bytes), many(len(agents), "agent")]
    return f"done  {', '.join([*what, many(begun.known.projects, 'project')])}, in {took}"


def _standing(in_place: Iterable[str], troubles: Iterable[Obstacle], notes: Iterable[str]) -> list[Finding]:
    there = [Finding(area, Level.OK, "in place") for area in in_place]
    alone = [Finding(trouble.area, Level.FAIL, trouble.what, trouble.hint) for trouble in troubles]
    return [*there, *alone, *(Finding("note", Level.NOTE, note) for note in notes)]


def _taken(report: CaptureReport) -> list[Finding]:
    taken = Finding("capture", Level.OK, f"{many(len(report.changes), 'run')}, {size(report.bytes)}")
    aside = [Finding("set-aside", Level.WARN, f"{a.path}: {a.reason}", "lane doctor --files") for a in report.set_aside]
    return [taken, *aside]


def _found(begun: FirstPass) -> list[Finding]:
    found = [Finding("memories", Level.OK, f"{begun.known.active} active, {begun.known.held} held")]
    if begun.unread:
        found.append(Finding("unread", Level.NOTE, f"{many(begun.unread, 'run')} in the background"))
    return found + [Finding("left", Level.WARN, trouble.message, trouble.hint) for trouble in begun.troubles]


def _known(begun: FirstPass) -> dict[str, object]:
    found = begun.suggestion
    told = (
        {
            "agent": found.agent,
            "folder": found.folder,
            "prompt": found.prompt,
            "memories": [m.id for m in found.memories],
        }
        if found
        else None
    )
    counted = {"memories": begun.known.active, "held": begun.known.held, "caught": begun.caught_active}
    return {**counted, "unread": begun.unread, "seconds": round(begun.seconds, 3), "suggestion": told}


def _meta(proposal: InitPlan) -> dict[str, object]:
    look = proposal.look
    return {
        "dry_run": False,
        "agents": [
            {
                "name": agent.name,
                "title": agent.title,
                "runs": agent.runs,
                "bytes": agent.bytes,
                "oldest": agent.oldest,
                "captured_by": proposal.captured_by(agent),
                "afterwards": agent.afterwards or None,
            }
            for agent in look.agents
        ],
        "later": [],  # every agent this version knows is captured
        "deletes_after_days": look.deletes_after,
        "other_memory_tools": list(look.rivals),
        "recall": proposal.recall,
    }


def remembered(begun: FirstPass) -> Iterator[str]:
    """What was found without a model, where from, and what waits for a yes."""
    yield from (f"      {text}" for text in _counted(begun))


def _counted(begun: FirstPass) -> Iterator[str]:
    known, own = begun.known, begun.noted.active if begun.noted else 0
    parts = [f"{begun.caught_active:,} caught"] if begun.caught_active else []
    parts += [f"{own:,} from {' and '.join(begun.noted.places)}"] if begun.noted and own else []
    new = ", ".join(parts)
    if not known.active:
        yield "no memories yet: these runs have no clear corrections or fixes"
    elif begun.caught_active + own == known.active:
        yield f"{many(known.active, 'memory', 'memories')} so far, without a model: {new}"
    else:
        yield f"{many(known.active, 'memory', 'memories')} so far{f', new: {new}' if new else ''}"
    if known.held:
        yield f"{known.held:,} need review: lane mem review"
    if begun.unread:
        yield f"{many(begun.unread, 'older run')} being read in the background: lane status"


def next_steps(screen: Screen, begun: FirstPass) -> Iterator[str]:
    yield "Next"
    yield '  lane search "something you remember"'
    if begun.suggestion is not None:
        yield from _to_ask(screen, begun.suggestion)
    else:
        yield '  lane remember "something your agents should know"'
    rows = [("lane mem review", f"{many(begun.known.held, 'note')} to review")] if begun.known.held else []
    if begun.noted and begun.noted.left:
        rows.append(
            ("lane mem import", f"{many(begun.noted.left, 'note')} in your projects' CLAUDE.md and similar files")
        )
    if not screen.config.switch("thin"):  # Central reads for a thin machine
        rows.append(("lane catch setup", "who reads your runs; shows the cost first"))
    rows.append(("lane status", "status; Lane runs on its own now"))
    yield from (f"  {command:<18}{about}" for command, about in rows)


def to_finish(proposal: InitPlan) -> Iterator[str]:
    """What only the person can do."""
    if proposal.to_finish:
        yield ""
        yield "Left for you"
        yield from (f"  {line}" for line in proposal.left_for_person)


def _to_ask(screen: Screen, found: PromptSuggestion) -> Iterator[str]:
    """The prompt is whole, also on a narrow screen: it was tried as it stands here."""
    first = found.memories[0]
    others = len(found.memories) - 1
    yield f"  cd {shown(screen, found)} && {found.program}"
    yield f"      then ask: {found.prompt}"
    more = f" and {others} more" if others else ""
    yield f'      (Lane will add: "{screen.cut(one_line(first.title), 90)}"{more})'


def shown(screen: Screen, found: PromptSuggestion) -> str:
    folder, home = found.folder, screen.config.person_home
    near = f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) and folder != home else str(folder)
    return f"'{near}'" if " " in near and not near.startswith("~") else near.replace(" ", "\\ ")
