"""`lane entity review`: names nobody was sure of, one key each. Not at a terminal it is a plain list."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.entity.group import command, of_entity
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.keyboard import pressed
from memlane.surfaces.cli.text import long_ago, many, one_line, padded, width
from memlane.surfaces.documents import Document

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.entities import NameFit, OpenName
    from memlane.domain import Memory

ENDS = ("q", "\x03", "\x04", "\x1b")
SKIPS = ("\r", "\n", " ")
NEW, NONE = "new", "not-a-name"
MOST_NUMBERS = 9
EXAMPLES = """
lane entity review
lane entity review --json
lane entity review --answer "Adam=person:king-adam" --answer "Zed Quux=new" --answer "Foo=not-a-name"
"""


@frame.command("review", of=command, lists=True, examples=EXAMPLES)
@click.option(
    "--answer", "answers", multiple=True, metavar="NAME=ENTITY", help="An answer; also NAME=new, NAME=not-a-name."
)
@click.option("--project", default="", metavar="NAME", help="Only names of this project.")
@click.option("--everywhere", is_flag=True, help="With --answer: for every project, not only this one.")
def review(screen: Screen, answers: tuple[str, ...], project: str, everywhere: bool) -> None:
    """Answer who is meant where a name in memories is ambiguous or unknown."""
    with screen.lane() as lane:
        if answers:
            _answer_all(screen, lane, [_parsed(one) for one in answers], project, everywhere=everywhere)
            return
        found = _asked(lane, project)
        if not found and not (screen.json or screen.form.asked):
            screen.say("No names to review.")
        elif screen.terminal and sys.stdin.isatty() and not (screen.json or screen.form.asked):
            _NameReview(screen, lane, found).all()
        else:
            named = [(one, lane.entities.that_wait(one)) for one in found]
            screen.listing("lane.entity.review/1", named, of_waiting, _columns(), {"names": len(found)})


def _asked(lane: Lane, project: str) -> list[OpenName]:
    return [one for one in lane.entities.waiting() if project in ("", one.project.name, one.project.key)]


def of_waiting(named: tuple[OpenName, Sequence[Memory]]) -> Document:
    one, memories = named
    return {
        "name": one.raw,
        "type": one.type or None,
        "project": one.project.name,
        "project_key": one.project.key,
        "memories": [{"id": memory.id, "title": memory.title} for memory in memories],
        "choices": [
            {**of_entity(fit.entity), "memories": fit.memories, "last": fit.last, "likely": fit.likely}
            for fit in one.fits
        ],
    }


def _columns() -> list[Column]:
    def fits(named: tuple[OpenName, Sequence[Memory]]) -> str:
        return ", ".join(fit.entity.key for fit in named[0].fits)

    return [
        Column(lambda w: w[0].raw, lambda w: w[0].raw, "bold"),
        Column(lambda w: w[0].project.name, lambda w: w[0].project.name, "green", most=20),
        Column(lambda w: str(w[0].memories), lambda w: str(w[0].memories), right=True),
        Column(fits, fits, stretch=True),
    ]


# -- answers of a script -----------------------------------------------------------------------------------------------


def _parsed(given: str) -> tuple[str, str]:
    name, equals, meant = given.rpartition("=")
    if not equals or not name.strip() or not meant.strip():
        raise UsageError(f"{given!r} is not NAME=ENTITY", hint='--answer "Adam=person:king-adam"')
    return name.strip(), meant.strip()


def _answer_all(
    screen: Screen, lane: Lane, answers: Sequence[tuple[str, str]], project: str, *, everywhere: bool
) -> None:
    """All of them are understood before the first is written down."""
    waiting = _asked(lane, project)
    for _name, meant in answers:
        if meant not in (NEW, NONE):
            lane.entities.entity(meant)
    done: list[Document] = []
    for name, meant in answers:
        asked = [one for one in waiting if one.raw.casefold() == name.casefold()]
        if not asked and not everywhere:
            raise NotFoundError(f"there is no question about {name}", hint="lane entity review, or --everywhere")
        for key in {""} if everywhere else {one.project.key for one in asked}:
            type_ = next((one.type for one in asked if one.type), "")
            done.append(_answered(lane, name, meant, type_, key))
    screen.emit("lane.entity.answer/1", done, {"answers": len(done)}) if screen.json else _told(screen, done)


def _answered(lane: Lane, name: str, meant: str, type_: str, project_key: str) -> Document:
    entity, settled = "", 0
    if meant == NEW:
        made, settled = lane.entities.answer_new(name, type_, project_key)
        entity = made.key
    else:
        settled = lane.entities.answer(name, "" if meant == NONE else meant, project_key)
        entity = "" if meant == NONE else lane.entities.entity(meant).key
    undo = f'lane entity review --answer "{name}=ENTITY" --everywhere'
    return {
        "name": name, "entity": entity or None, "project_key": project_key, "memories": settled, "undo": undo
    }  # fmt: skip


def _told(screen: Screen, done: Sequence[Document]) -> None:
    for one in done:
        screen.record(one["name"], one["entity"] or NONE, one["project_key"], one["memories"])


# -- one key each ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _NameReview:
    """What lies before the person: one name at a time."""

    screen: Screen
    lane: Lane
    found: Sequence[OpenName]
    linked: int = 0

    def all(self) -> None:
        with pressed() as key:
            for n, one in enumerate(self.found, 1):
                for line in self._drawn(one, n):
                    self.screen.line(line)
                self.screen.flush()
                if not self._answer(one, key):
                    break
        left = len(self.lane.entities.waiting())
        self.screen.line(f"{many(self.linked, 'memory', 'memories')} linked; {many(left, 'name')} left.")
        self.screen.line("Change an answer: lane entity review --answer NAME=ENTITY --everywhere")

    def _drawn(self, one: OpenName, n: int) -> Iterator[str]:
        lead = f"{n} of {len(self.found)}   "
        where = f" in {one.project.name}" if one.project.name else ""
        yield ""
        yield self.screen.styled(
            f'{lead}"{one_line(one.raw)}"{where}, {many(one.memories, "memory", "memories")}', "bold"
        )
        for memory in self.lane.entities.that_wait(one)[:3]:
            said = memory.evidence[0].quote if memory.evidence else memory.title
            yield self.screen.cut(f'{" " * len(lead)}"{one_line(said)}"', self.screen.columns)
        yield ""
        broad = max((width(fit.entity.name) for fit in one.fits), default=0)
        for number, fit in enumerate(one.fits, 1):
            yield self.screen.cut(f"  {number}  {self._told(fit, broad)}", self.screen.columns)
        yield f"  {_new_key(one)}  {'someone' if one.type in ('', 'person') else 'something'} new"
        always = "     everywhere, not only here: a" if one.fits and one.project.key else ""
        yield f"  s  not a name     skip: Enter{always}     quit: q"

    def _told(self, fit: NameFit, broad: int) -> str:
        last = f", last {long_ago(fit.last, self.screen.now)}" if fit.last else ""
        known = f"{many(fit.memories, 'memory', 'memories')}{last}{', same project' if fit.here else ''}"
        likely = self.screen.styled("   likely", "green") if fit.likely else ""
        return f"{padded(one_line(fit.entity.name), broad)}   {fit.entity.type:<8}  {known}{likely}"

    def _answer(self, one: OpenName, key: Callable[[], str], *, everywhere: bool = False) -> bool:
        """False: enough for today."""
        while (now := key()) not in ENDS:
            if now in SKIPS:
                return True
            if now == "a" and one.fits and not everywhere:
                self.screen.say("everywhere: which one?")
                return self._answer(one, key, everywhere=True)
            if (meant := _keys(one).get(now)) is not None:
                self._write(one, meant, "" if everywhere else one.project.key)
                return True
        return False

    def _write(self, one: OpenName, meant: str, project_key: str) -> None:
        done = _answered(self.lane, one.raw, meant, one.type, project_key)
        said = "Not a name." if meant == NONE else f"Linked: {one.raw} is {done['entity']}."
        if meant != NONE:
            self.linked += int(str(done["memories"]))
        self.screen.line(said)
        self.screen.flush()


def _keys(one: OpenName) -> dict[str, str]:
    """What each key answers."""
    fits = {str(number): fit.entity.key for number, fit in enumerate(one.fits, 1)}
    return {**fits, _new_key(one): NEW, "s": NONE}


def _new_key(one: OpenName) -> str:
    return str(len(one.fits) + 1) if len(one.fits) < MOST_NUMBERS else "n"
