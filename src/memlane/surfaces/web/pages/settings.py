"""Settings: which agents are captured and told, what is left out, what was spent, and every setting with its meaning.

Only switches, numbers and what narrows are changed here. What names a program, an address or a folder to read is not:
a browser's cookie must never be worth that much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.config import SETTINGS, Config, Setting, Value, load, parsed, setting, without_password
from memlane.errors import LaneError, UsageError
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import PROJECT, Schema
from memlane.surfaces.web.views import ActReport, PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

FIXED = ("http.port", "embed.dimension", "catch.daily_dollars", "catch.daily_windows", "catch.timeout")
ROOMS: Mapping[str, str] = {
    "recall": "Recall",
    "dream": "Dreams",
    "memory": "Pages of memories",
    "catch": "Catching memories",
    "embed": "Search by meaning",
    "capture": "Capture",
    "entities": "Entities",
    "": "This home",
}
TAKES: Mapping[str, Schema] = {"prompt": schema.text("what the agent is asked", 1000, least=0)}
SET: Mapping[str, Schema] = {
    "name": schema.text("which one", 60),
    "value": schema.text("what it shall be", 200, least=0),
}
HOOKS: Mapping[str, Schema] = {"agent": schema.matching(r"^[\w.-]{1,60}$", "whose", 60)}
AGENT: Mapping[str, Schema] = {
    "agent": schema.matching(r"^[\w.-]{1,60}$", "whose", 60),
    "what": schema.one_of(["capture", "recall"], "which switch"),
    "to": schema.one_of(["on", "off"], "how"),
}
IN_PROJECT: Mapping[str, Schema] = {
    "project": schema.matching(PROJECT, "where", 200),
    "to": schema.one_of(["on", "off"], "how"),
}
PATTERN = schema.text("a folder, or a pattern with *", 400)
EXCLUDE: Mapping[str, Schema] = {
    "pattern": PATTERN,
    "to": schema.one_of(["add", "remove"], "how"),
}
DAYS = 14


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting as it stands: `kind` is how it can be changed here, "" if only by the command."""

    setting: Setting
    value: str
    default: str
    origin: str
    kind: str

    @property
    def usual(self) -> bool:
        return self.value == self.default


@dataclass(frozen=True, slots=True)
class AgentSwitches:
    """An agent: whether what it does is captured, and whether it is told anything (None: it has no hooks of ours)."""

    name: str
    title: str
    runs: int
    captured: bool
    told: bool | None
    hookable: bool
    changes: Sequence[str] = ()  # what putting our hooks in would change, file by file


def page(lane: Lane, want: RouteRequest) -> PageView:
    now = _now(lane)
    days, caps = lane.catch.model.spent()
    return view(
        "settings.html",
        "Settings",
        agents=_agents(lane, now),
        excluded=[one for one in now.names("capture.exclude") if not one.startswith("agent:")],
        off_in=now.names("recall.off_in"),
        projects=_projects(lane, now),
        recall=now.switch("recall.enabled"),
        forced=now.origins["recall.enabled"] not in ("default", "config.toml"),
        paused=lane.capture.pause(),
        days=sorted(days.items(), reverse=True)[:DAYS],
        caps=caps,
        rooms=_rooms(now),
        file=str(now.file),
        prompt=field(want, "prompt") or _last_prompt(lane),
    )


def _now(lane: Lane) -> Config:
    """As the file is at this moment."""
    return load(lane.config.variables)


def _agents(lane: Lane, now: Config) -> Sequence[AgentSwitches]:
    out, off = now.names("capture.exclude"), now.names("recall.off_for")
    return [
        AgentSwitches(
            agent.name,
            agent.title,
            agent.runs,
            f"agent:{agent.name}" not in out,
            agent.name not in off if (hooked := lane.setup.hooked(agent.name)) else None,
            (hookable := agent.name in lane.setup.hookable("")),
            _changes(lane, agent.name) if hookable and not hooked else (),
        )
        for agent in lane.health.now().agents
    ]


def _changes(lane: Lane, agent: str) -> Sequence[str]:
    try:
        rows = lane.setup.rows(lane.setup.plan(lane.setup.wanted([agent], timer=False)))
    except LaneError:  # the button says why
        return ()
    return [f"{row.where}: {row.what}" for row in rows]


def _projects(lane: Lane, now: Config) -> Sequence[str]:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    off = now.names("recall.off_in")
    runs = lane.runs.select(RunFilter())
    return sorted({run.project.name for run in runs if run.project.name and run.cwd and run.cwd not in off})


def _last_prompt(lane: Lane) -> str:
    return next((one.query.words for one in lane.recall.newest(50) if one.query.words), "")


def _rooms(now: Config) -> Sequence[tuple[str, Sequence[SettingRow]]]:
    found = {room: list[SettingRow]() for room in ROOMS}
    for name, one in SETTINGS.items():
        room = name.partition(".")[0] if "." in name else ""
        found[room if room in ROOMS else ""].append(
            SettingRow(one, _text(now.values[name], name), _text(one.default, name), now.origins[name], _kind(one))
        )
    return [(ROOMS[room], some) for room, some in found.items()]


def _kind(one: Setting) -> str:
    if one.name in FIXED:
        return ""
    match one.default:
        case bool():
            return "switch"
        case int() | float():
            return "number"
        case _:
            return ""


def _text(value: Value, name: str) -> str:
    if name == "storage.url" and value:
        return "set"  # it has a password in it
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(value)
        case _:
            return str(without_password(value))


def preview(lane: Lane, want: RouteRequest) -> PageView:
    """What an agent would be told on this prompt now. Nothing is written down."""
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    prompt, recent = field(want, "prompt"), lane.runs.select(RunFilter(limit=1))
    if not prompt:
        return view("preview.html", "Preview", recall=None, brief="", where="")
    last = next((one for one in lane.recall.newest(50) if one.query.words == prompt), None)
    cwd = last.query.cwd if last else recent[0].cwd if recent else "/"
    recall = lane.recall.asked(prompt, Path(cwd))
    where = recall.query.project.name
    return view("preview.html", "Preview", recall=recall, brief=lane.recall.told(recall), where=where)


# -- what a person changes ---------------------------------------------------------------------------------------------


def _save(lane: Lane, name: str, value: Value) -> str:
    """What it was."""
    from memlane.app.home import save_settings  # noqa: PLC0415 - only when something is changed

    before = _text(_now(lane).values[name], name)
    save_settings(lane.config, {name: value})
    return before


def change(lane: Lane, want: RouteRequest) -> ActReport:
    one = setting(field(want, "name"))
    if not _kind(one):
        raise UsageError(f"{one.name} cannot be changed in a browser", hint=f"lane config set {one.name} …")
    text = field(want, "value")
    value = parsed(one, text) if text else one.default
    before = _save(lane, one.name, value)
    return ActReport(f"{one.name} is now {_text(value, one.name)} (was {before}).")


def agent(lane: Lane, want: RouteRequest) -> ActReport:
    name, on = field(want, "agent"), field(want, "to") == "on"
    if name not in {one.name for one in lane.health.now().agents}:
        raise UsageError(f"no agent here is called {name}")
    if field(want, "what") == "capture":
        lane.capture.exclude(_with(_now(lane).names("capture.exclude"), f"agent:{name}", there=not on))
        return ActReport(f"{name} is {'captured again' if on else 'no longer captured; existing runs stay'}.")
    _save(lane, "recall.off_for", _with(_now(lane).names("recall.off_for"), name, there=not on))
    return ActReport(f"{name} is {'given notes again' if on else 'no longer given notes'}.")


def resume(lane: Lane, _want: RouteRequest) -> ActReport:
    """Runs that grew during the pause stay left out."""
    return ActReport("Capture is on again." if lane.capture.end_pause() else "Capture was not paused.")


def hooks(lane: Lane, want: RouteRequest) -> ActReport:
    """As `lane hook install` does it; each file is backed up first."""
    agent = field(want, "agent")
    wanted = lane.setup.wanted(lane.setup.hookable(agent), timer=False)
    done = lane.setup.apply(lane.setup.plan(wanted), wanted)
    if done.troubles and not done.changed:
        raise LaneError(done.troubles[0].what, hint=done.troubles[0].hint)
    says = "Lane's hooks are in place; new runs get notes." if done.changed else "Lane's hooks were in place already."
    return ActReport(f"{says} To take them out: lane hook remove {agent}")


def project(lane: Lane, want: RouteRequest) -> ActReport:
    """The folders its Runs worked in: looked up, never opened."""
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    name, off = field(want, "project"), field(want, "to") == "off"
    runs = lane.runs.select(RunFilter(project=lane.runs.project_called(name).key))
    folders = _tops([run.cwd for run in runs if run.cwd.startswith("/")])
    names = _now(lane).names("recall.off_in")
    for folder in folders:
        names = _with(names, folder, there=off)
    _save(lane, "recall.off_in", names)
    return ActReport(f"Recall is {'off' if off else 'on again'} in {name}.")


def _tops(folders: Sequence[str]) -> Sequence[str]:
    """Without those that lie in another one."""
    every = sorted(set(folders))
    return [one for one in every if not any(one.startswith(f"{other}/") for other in every)]


def tell_in(lane: Lane, want: RouteRequest) -> ActReport:
    """A folder of the list, told again."""
    folder = field(want, "pattern")
    _save(lane, "recall.off_in", _with(_now(lane).names("recall.off_in"), folder, there=False))
    return ActReport(f"Recall is on again in {folder}.")


def exclude(lane: Lane, want: RouteRequest) -> ActReport:
    """It is compared with paths, never opened."""
    pattern, more = field(want, "pattern"), field(want, "to") == "add"
    if more and not pattern.startswith(("/", "~", "*")):
        raise UsageError("a whole path is needed, or a pattern", hint="~/secret-project, or */node_modules/*")
    lane.capture.exclude(_with(_now(lane).names("capture.exclude"), pattern, there=more))
    return ActReport(f"{'Never captured' if more else 'Captured again'}: {pattern}")


def _with(names: Sequence[str], name: str, *, there: bool) -> tuple[str, ...]:
    others = tuple(one for one in names if one != name)
    return (*others, name) if there else others
