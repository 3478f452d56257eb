"""`lane status`: how things stand, on one screen; and what bare `lane` says. Neither ever waits for anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memlane.domain import Finding, Level
from memlane.errors import LaneError, NotSetUpError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.reader_line import reading_document, reading_line
from memlane.surfaces.cli.text import clock, day, long_ago, many, one_line, size, wrapped
from memlane.surfaces.documents import of_finding

if TYPE_CHECKING:
    from memlane.app.health import HomeOverview
    from memlane.app.vectors import ModelChange, VectorProgress

Hints = tuple[tuple[str, str], ...]
OF_AN_INDEX = frozenset({"search", "last run", "catching", "reading", "queue"})
NO_HOOKS, INSTALL = "hooks are not installed", "lane init"
GLANCE = 5  # lines of bare `lane`
_READERS = {"agent": "agents", "model": "the model"}  # whoever reads beside the built-in classifier
LEAD = 12  # columns that say what a line is about

NOT_SET_UP: Hints = (
    ("lane demo", "try it on sample runs; your data is not touched"),
    ("lane init", "set up Lane; shows every change and asks first"),
    ("lane --help", "every command"),
)
CANNOT_LOOK: Hints = (
    ("lane doctor", "problems and fixes"),
    ("lane rebuild", "rebuild the index from the archive"),
    ("lane --help", "every command"),
)
SET_UP: Hints = (
    ('lane search "words you remember"', "find it in any run"),
    ('lane remember "a note"', "save a note for every agent"),
    ("lane --help", "every command"),
)


@frame.command()
def command(screen: Screen) -> None:
    """Show status on one screen."""
    with screen.lane() as lane:
        probed = lane.health.probes.findings(quick=True)
        standing, meant, change = lane.health.now(), lane.search.progress(), lane.vectors.change()
        central = list(lane.shipment.findings())
    lines = [_health(probed, standing), *_lines(screen, standing, meant, change), *central]
    if screen.json:
        screen.emit("lane.status/1", [of_finding(line) for line in lines], _meta(standing, meant, change))
    else:
        for line in lines:
            _print(screen, line)
    if lines[0].level is Level.FAIL:
        screen.leave(1)


def _health(probed: Sequence[Finding], standing: HomeOverview) -> Finding:
    """One word, and what it rests on. It is "ok" only where a search, a recall and a write have just worked."""
    wrong = [one for one in probed if one.level in (Level.FAIL, Level.WARN)]
    if wrong:
        worst = next((one for one in wrong if one.level is Level.FAIL), wrong[0])
        more = f"; {many(len(wrong) - 1, 'more problem')}: lane doctor" if len(wrong) > 1 else ""
        return Finding("health", worst.level, f"{worst.level.value}: {worst.what}{more}", worst.hint)
    if not standing.recall.agents:
        why = "recall.enabled is false" if not standing.recall.enabled else NO_HOOKS
        return Finding("health", Level.NOTE, f"search and writing work; no agent is told anything: {why}", INSTALL)
    return Finding("health", Level.OK, f"ok: a search, a write and {_asked(standing)} were tried and work")


def _asked(standing: HomeOverview) -> str:
    *others, last = standing.recall.agents
    return f"a recall through {', '.join(others)}{' and ' if others else ''}{last}"


def glance() -> None:
    """Bare `lane`: five lines and three hints, also where nothing is set up. It never fails and never asks."""
    screen = frame.screen(json=False)
    try:
        with screen.lane() as lane:
            lines = _lines(screen, lane.health.now())
    except NotSetUpError:
        screen.line("Memory Lane is not set up here yet. Nothing is captured.")
        hints = NOT_SET_UP
    except LaneError as error:
        screen.line(f"Memory Lane cannot read its data: {error.message}")
        hints = CANNOT_LOOK
    else:
        for line in lines[:GLANCE]:
            screen.line(_text(screen, line))
        hints = SET_UP
    screen.line()
    for hint, about in hints:
        screen.line(f"  {hint:<34}{about}")


def _print(screen: Screen, line: Finding) -> None:
    """Whole: what does not fit goes on under itself."""
    if not screen.terminal:
        screen.record(line.kind, line.what)
        return
    for n, part in enumerate(wrapped(one_line(line.what), screen.columns - LEAD)):
        screen.line(f"{line.kind.capitalize() if n == 0 else '':<{LEAD}}{part}")


def _text(screen: Screen, line: Finding) -> str:
    text = f"{line.kind.capitalize():<{LEAD}}{one_line(line.what)}"
    return screen.cut(text, screen.columns) if screen.terminal else text


def _lines(
    screen: Screen,
    standing: HomeOverview,
    meant: VectorProgress | None = None,
    change: ModelChange | None = None,
) -> list[Finding]:
    rows = [
        ("read-only", *_read_only(standing)),
        ("capturing", *_capturing(screen, standing)),
        ("recall", _recall(standing), "" if standing.recall.agents or not standing.recall.enabled else INSTALL),
        ("home", _home(standing), ""),
        ("search", *_search(standing, meant, change)),
        ("last run", _last_run(screen, standing), ""),
        ("catching", *_catching(screen, standing)),
        ("reading", *reading_line(screen, standing.reading)),
        ("queue", *_queue(screen, standing)),
        ("machines", ", ".join(f"{m} (this)" if m == standing.machine else m for m in standing.machines), ""),
        ("timer", *_timer(screen, standing)),
        ("captured", _captured(standing), ""),
    ]
    if screen.config.switch("thin"):
        captured = f"{many(standing.waiting, 'run')}; Central indexes, reads and recalls for this thin machine"
        rows = [("home", captured, "") if row[0] == "home" else row for row in rows if row[0] not in OF_AN_INDEX]
    return [Finding(kind, Level.NOTE if hint else Level.OK, what, hint) for kind, what, hint in rows if what]


def _read_only(standing: HomeOverview) -> tuple[str, str]:
    if not standing.read_only:
        return "", ""
    return f"the home is read-only ({standing.read_only}): nothing new is kept; reading works", "lane doctor"


def _capturing(screen: Screen, standing: HomeOverview) -> tuple[str, str]:
    if standing.paused is not None:
        until = standing.paused.until
        return f"paused until {clock(until) if until else 'you resume it'}", "lane pause --off"
    names = [
        agent.title + (f" ({long_ago(agent.last_captured, screen.now)})" if agent.last_captured else "")
        for agent in standing.agents
        if agent.here
    ]
    if not names:
        return "no agents found on this machine", INSTALL
    return (", ".join(names), "") if standing.hooks else (f"{NO_HOOKS}; seen here: {', '.join(names)}", INSTALL)


def _captured(standing: HomeOverview) -> str:
    """What makes us capture each agent's new work."""
    here = (agent for agent in standing.agents if agent.captured_by)
    return "; ".join(f"{agent.title}: {', '.join(agent.captured_by)}" for agent in here)


def _recall(standing: HomeOverview) -> str:
    recall = standing.recall
    off = f"    off in: {', '.join(recall.off_in)}" if recall.off_in else ""
    if not recall.enabled:
        return "off (recall.enabled is false)"
    if not recall.agents:
        return f"{'no agent is told anything' if standing.hooks else NO_HOOKS + ': no agent gets notes'}{off}"
    on = f"on in {', '.join(recall.agents)}"
    if not recall.shown:
        return f"{on}, nothing recalled yet{off}"
    many_memories = f"{recall.memories:g} {'memory' if recall.memories == 1 else 'memories'} median"
    return f"{on}, {many_memories}, {recall.tokens:.0f} tokens, {recall.milliseconds:.0f} ms{off}"


def _home(standing: HomeOverview) -> str:
    counts = [many(standing.runs, "run"), many(standing.turns, "turn"), many(standing.memories, "memory", "memories")]
    return ", ".join([*counts, size(standing.bytes)])


def _catching(screen: Screen, standing: HomeOverview) -> tuple[str, str]:
    held = [f"{standing.held:,} held: lane mem review"] if standing.held else []
    by = [f"{standing.windows[one]:,} by {name}" for one, name in _READERS.items() if standing.windows.get(one)]
    read = f"{sum(standing.windows.values()):,} passages read" if standing.windows else "nothing read yet"
    read += f" ({', '.join(by)})" if by else ""
    off = screen.config.text("catch.with") == "none"
    told = [*held, "off (catch.with is none)" if off else read, *standing.probation]
    return "; ".join(told), "lane mem review" if held else ""


def _queue(screen: Screen, standing: HomeOverview) -> tuple[str, str]:
    waiting = f"{many(standing.waiting, 'run')} waiting"
    dream, hint = standing.dream, ""
    if not dream.enabled:
        said = "no dreams (dream.enabled is false)"
    elif dream.runs:
        said = f"next dream after {many(dream.runs, 'more run')}"
    elif dream.at is not None and dream.at > screen.now:
        said = f"dream {day(dream.at, screen.now)} {clock(dream.at)}"
    else:
        said, hint = "next dream when you are idle", "lane dream --dry-run"
    return f"{waiting}, {said}", hint


def _search(standing: HomeOverview, meant: VectorProgress | None, change: ModelChange | None) -> tuple[str, str]:
    aside = f"; {many(standing.set_aside, 'file')} set aside" if standing.set_aside else ""
    aside += f"; {many(standing.skipped, 'file')} not taken" if standing.skipped else ""
    hint = "lane doctor --files" if aside else ""
    if standing.waiting:
        return f"{many(standing.waiting, 'run')} waiting to be indexed{aside}", hint or "lane capture"
    damaged = "lane tick" if meant is not None and meant.damage else ""
    if change is not None:
        told = f"words up to date{_meaning(meant)}; {change.what}{aside}"
        return told, damaged or hint or change.hint or "lane tick --meaning"
    return f"words up to date{_meaning(meant)}{aside}", damaged or hint


def _meaning(meant: VectorProgress | None) -> str:
    """Bare `lane` does not ask: a model may have to be looked for."""
    if meant is None or not meant.all:
        return ""
    if meant.damage:
        return f"; meaning is damaged: {meant.damage}"
    if meant.done < meant.all:
        return f"; meaning {meant.done * 100 // meant.all} %" + (f" ({meant.why})" if meant.why else "")
    return ", meaning too"


def _last_run(screen: Screen, standing: HomeOverview) -> str:
    run = standing.last_run
    if run is None:
        return "none yet"
    words = screen.cut(one_line(run.title or run.first.text), 40)
    return f'{run.id[:6]} {run.agent} {run.project.name} "{words}" {long_ago(run.ended, screen.now)}'


def _timer(screen: Screen, standing: HomeOverview) -> tuple[str, str]:
    if standing.last_tick is None:
        return "has not run yet", "lane init"
    return f"last tick {long_ago(standing.last_tick, screen.now)}", ""


def _meta(standing: HomeOverview, meant: VectorProgress, change: ModelChange | None) -> dict[str, object]:
    why = meant.why or meant.damage or None
    meaning = {"model": meant.model or None, "share": round(meant.share, 4), "why": why, "change": change}
    return {
        "user": standing.user,
        "machine": standing.machine,
        "machines": standing.machines,
        "agents": standing.agents,
        "hooks": standing.hooks,
        "recall": standing.recall,
        "runs": standing.runs,
        "turns": standing.turns,
        "memories": standing.memories,
        "held": standing.held,
        "windows": standing.windows,
        "probation": standing.probation,
        "bytes": standing.bytes,
        "waiting": standing.waiting,
        "meaning": meaning,
        "set_aside": standing.set_aside,
        "skipped": standing.skipped,
        "paused": standing.paused,
        "reading": reading_document(standing.reading),
        "read_only": standing.read_only or None,
        "dream": {"enabled": standing.dream.enabled, "last": standing.dream.last, "next": standing.dream.at},
        "last_tick": standing.last_tick,
        "last_run": standing.last_run.id if standing.last_run else None,
    }
