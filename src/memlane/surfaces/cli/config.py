"""`lane config`: every setting with its value, its meaning and where the value came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from memlane.config import SETTINGS, Config, Value, load, parsed, setting, shown, without_password
from memlane.domain import Finding
from memlane.errors import LaneError, UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.output import encoded
from memlane.surfaces.cli.text import wrapped
from memlane.surfaces.documents import of_finding

PART_OF_IDS = ("user", "machine")
WIDE = 130  # columns a setting and its meaning need on one line

command = frame.group("Settings: list, get, set, path.", bare="list")


def _document(config: Config, name: str) -> dict[str, object]:
    return {
        "name": name,
        "value": without_password(shown(_effective(config, name))),
        "default": shown(SETTINGS[name].default),
        "origin": config.origins[name],
        "what": SETTINGS[name].what,
    }


def _effective(config: Config, name: str) -> Value:
    """What is in force, also where the setting itself is empty."""
    given = config.values[name]
    return given or {"user": config.user, "machine": config.machine, "archive.base": config.archive_place}.get(
        name, given
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else encoded(value)


@frame.command("list", of=command, lists=True)
def list_(screen: Screen) -> None:
    """List every setting with its value, origin and purpose."""
    documents = [_document(screen.config, name) for name in SETTINGS]
    columns = [
        Column(lambda d: d["name"], lambda d: d["name"], "cyan"),
        Column(lambda d: _text(d["value"]), lambda d: _text(d["value"]), most=28),
        Column(lambda d: d["origin"], lambda d: d["origin"], "dim", from_width=80),
        Column(lambda d: d["what"], lambda d: d["what"], stretch=True),
    ]
    if screen.terminal and not screen.json and not screen.form.asked and screen.columns < WIDE:
        screen.paged(_narrow(screen, documents))
        return
    screen.listing("lane.config.list/1", documents, lambda d: d, columns, {"file": screen.config.file})


def _narrow(screen: Screen, documents: Sequence[dict[str, object]]) -> Iterator[str]:
    for document in documents:
        origin = "" if document["origin"] == "default" else f"  (from {document['origin']})"
        value = screen.cut(_text(document["value"]), screen.columns - 26)
        name = screen.styled(f"{document['name']:<24}", "cyan")
        yield f"{name} {value}{screen.styled(origin, 'dim')}"
        yield from (f"    {line}" for line in wrapped(str(document["what"]), screen.columns - 4))


@frame.command("get", of=command)
@click.argument("name")
def get(screen: Screen, name: str) -> None:
    """Print the effective value; of a part of a name (embed), every setting below it."""
    below = [one for one in SETTINGS if one.startswith(f"{name}.")]
    if below and name not in SETTINGS:
        documents = [_document(screen.config, one) for one in below]
        if screen.json:
            screen.emit("lane.config.list/1", documents, {"file": screen.config.file})
        for document in () if screen.json else documents:
            screen.record(str(document["name"]), _text(document["value"]))
        return
    document = _document(screen.config, setting(name).name)
    if screen.json:
        screen.emit("lane.config.get/1", document)
        return
    screen.line(_text(document["value"]))
    if screen.terminal:
        screen.say(f"from {document['origin']}: {document['what']}")


@frame.command("set", of=command)
@click.argument("name")
@click.argument("value")
@click.option(
    "--project", default="", metavar="DIR", help="recall.enabled only: for this folder; . is the current one."
)
def set_(screen: Screen, name: str, value: str, project: str) -> None:
    """Write it to config.toml, keeping comments and order. Lists are comma-separated."""
    from memlane.app.home import save_settings

    config = screen.config
    wanted = parsed(setting(name), value)
    before = _effective(config, name)
    if project:
        name, wanted, before = _in_project(config, name, wanted, project)
    elif name in PART_OF_IDS and wanted != _effective(config, name):
        _must_be_empty(screen, name)
    save_settings(config, {name: wanted})
    after = load()
    effects = _effects(after, name)
    document = {**_document(after, name), "before": without_password(shown(before))}
    if screen.json:
        screen.emit("lane.config.set/1", document, {"effects": [of_finding(one) for one in effects]})
        return
    screen.say(f"{name} is now {_text(document['value'])} (was {_text(document['before'])})")
    if after.origins[name] != "config.toml":
        screen.note(f"{after.origins[name]} is set and overrides the file")
    for one in effects:
        screen.note(one.what)
        if one.hint:
            screen.say(f"  hint: {one.hint}")


def _effects(after: Config, name: str) -> list[Finding]:
    """What keeps the change from its effect. A daemon that listens at another port is started again."""
    from memlane.app import Lane
    from memlane.surfaces.cli import daemon

    if name == "http.port" and daemon.held_by(after) is not None:
        daemon.end(after)
        daemon.begin(after)
    with Lane(after) as lane:
        return lane.health.effects.of(name)


def _in_project(config: Config, name: str, wanted: Value, project: str) -> tuple[str, Value, Value]:
    if name != "recall.enabled":
        raise UsageError(f"{name} applies everywhere", hint="--project is for recall.enabled")
    folder = str(Path(project).expanduser().resolve())
    before = config.names("recall.off_in")
    others = tuple(one for one in before if one != folder)
    return "recall.off_in", others if wanted else (*others, folder), before


def _must_be_empty(screen: Screen, name: str) -> None:
    """Both are part of every run's id: with another one, all that is there would be captured a second time."""
    try:
        with screen.lane() as lane:
            runs = lane.health.now().runs
    except LaneError:
        return
    if runs:
        raise UsageError(
            f"{name} is part of the ids of {runs:,} runs and cannot be changed",
            hint="capture another machine's runs with: lane capture PATH --machine NAME",
        )


@frame.command("path", of=command)
def path(screen: Screen) -> None:
    """Print the path of config.toml."""
    if screen.json:
        screen.emit("lane.config.path/1", {"file": screen.config.file, "exists": screen.config.file.exists()})
    else:
        screen.line(str(screen.config.file))
