"""Every read names its reader: one Central whose people share some things, every route asked by every kind of reader.

Each thing somebody keeps has a word of its own that nobody else uses. A word in an answer to a reader who may not see
that thing is a leak. `grid` asks; `campaigns.reads_mutants` shows that a filter left out is seen.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg

from campaigns import report
from campaigns.mutants import Mutant
from campaigns.postgres_server import shared
from campaigns.reads_mutants import MUTANTS
from campaigns.reads_pages import ReaderPages
from campaigns.reads_timing import EVEN, slower
from campaigns.world import scratch
from memlane.app import Lane
from memlane.app.control import Grant, GrantType, Joining, Reading, Role, of_owner
from memlane.app.home.journal import memory_line
from memlane.config import Config, load
from memlane.domain import Evidence, Memory, RunFilter, Scope, Type
from memlane.surfaces.api.router import Route
from memlane.surfaces.serve.address import CentralAddress
from memlane.surfaces.serve.door import CentralDoor
from memlane.surfaces.serve.owners import OwnerDesks
from memlane.surfaces.serve.process import table
from memlane.surfaces.serve.trail import AuditTrail

AT = datetime(2026, 11, 1, 9, tzinfo=UTC)
SHOP, DIARY = "/home/noor/shop", "/home/noor/diary"
# What Noor keeps: a word that only this thing has → whose readers may be told.
SHARED_RUN, SHARED_LESSON, QUOTE, PRIVATE_RUN, PRIVATE_LESSON, PREFERENCE, LABEL = (
    "quokkamarket",
    "wombatcheckout",
    "numbatquote",
    "axolotldiary",
    "pangolinsecret",
    "ocelothabit",
    "caracallabel",
)
LESSONS, TRANSCRIPTS = frozenset({SHARED_LESSON}), frozenset({SHARED_RUN, SHARED_LESSON, QUOTE})
ALL = TRANSCRIPTS | {PRIVATE_RUN, PRIVATE_LESSON, PREFERENCE, LABEL}
READERS: Mapping[str, frozenset[str]] = {
    "noor": ALL,
    "stranger": frozenset(),  # belongs here, was granted nothing
    "lessons": LESSONS,
    "transcripts": TRANSCRIPTS,
    "grouped": TRANSCRIPTS,  # by a group
    "ungrouped": frozenset(),  # was in that group
    "expired": frozenset(),
    "revoked": frozenset(),
    "admin": frozenset(),
    "auditor": frozenset(),
    "gone": frozenset(),  # their machine was revoked; what was shared with them is still granted
    "": frozenset(),  # without a token
}
AT_THE_DOOR_ONLY = ("gone", "")  # who has no part of Central, or no machine that may ask for it


@dataclass(slots=True)
class Leak:
    reader: str
    route: str
    word: str


@dataclass(slots=True)
class GridResult:
    cells: int = 0  # of routes
    pages: int = 0  # cells of pages
    leaks: list[Leak] = field(default_factory=list[Leak])
    uneven: list[str] = field(default_factory=list[str])  # a refusal that tells "not yours" from "not there"
    refused: list[str] = field(default_factory=list[str])  # a guest's question that met a part nobody wrote
    missing: list[str] = field(default_factory=list[str])  # a word that a reader should have been told and never was


class Household:
    """Central in one process: the same door, rules and desks as `lane serve`, without a network."""

    def __init__(self, folder: Path, url: str = "") -> None:
        settings = {"HOME": str(folder), "LANE_HOME": str(folder / "lane"), "LANE_USER": "operator"}
        self.config: Config = load({**settings, "LANE_MACHINE": "overlook", "LANE_STORAGE_URL": url})
        self.folder, self.said, self.loop = folder, list[str](), asyncio.new_event_loop()
        self.lane = Lane(self.config)
        self.lane.home.begin()
        self.tokens = {"": ""}
        self._fill()
        self._people()
        self.routes = table()
        address = CentralAddress(self.lane.control)
        trail = AuditTrail(lambda _lines: None, "overlook", self._say)
        self.desks = OwnerDesks(self.config)
        self.door = CentralDoor(self.routes, address, self.desks, trail, self._say)
        self.pages = {name: ReaderPages(self._part(name)) for name in READERS if name not in AT_THE_DOOR_ONLY}

    def _say(self, level: str, text: str) -> None:
        self.said.append(f"{level} {text}")

    def _part(self, name: str) -> Lane:
        """With what others lend, as a machine has it after an exchange."""
        lane = Lane(of_owner(self.config, name), central=self.config)
        lane.loans.bring_up()
        return lane

    def close(self) -> None:
        for one in self.pages.values():
            one.close()
        self.loop.close()
        self.desks.close()
        self.lane.close()

    # -- what there is -----------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        with Lane(of_owner(self.config, "noor")) as noor:
            noor.home.begin()
            self.add_run(noor, "market", SHOP, f"the {SHARED_RUN} needs a new till", f"we said {QUOTE} once")
            self.add_run(noor, "diary", DIARY, f"dear {PRIVATE_RUN} nobody reads this", "the till is mine")
            runs = {run.native_id: run for run in noor.runs.select(RunFilter())}
            self.shared, self.private = (next(r for n, r in runs.items() if name in n) for name in ("market", "diary"))
            noor.runs.labels.tag(self.shared.id, [LABEL], [])
            note = self._memory(f"{SHARED_LESSON} goes through the till", self.shared.id, SHOP, QUOTE)
            hidden = self._memory(f"{PRIVATE_LESSON} is about the till", self.private.id, DIARY, PRIVATE_RUN)
            habit = self._memory(f"{PREFERENCE} with every till", self.shared.id, SHOP, QUOTE, Scope.PERSON)
            noor._writer.write([memory_line(one) for one in (note, hidden, habit)])
            self.memories = {"shared": note.id, "private": hidden.id, "habit": habit.id}
        for name in filter(None, READERS):
            with Lane(of_owner(self.config, name)) as lane:
                lane.home.begin()

    def add_run(self, lane: Lane, name: str, cwd: str, *turns: str) -> None:
        file = self.folder / f"{name}.jsonl"
        lines: list[dict[str, object]] = [
            {"type": "run", "id": name, "agent": "pi", "started": AT.isoformat(), "cwd": cwd}
        ]
        lines += [{"type": "turn", "at": AT.isoformat(), "person": said, "agent": "done"} for said in turns]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        lane.capture.imports.take([file])
        lane.capture.take_up()

    def _memory(self, text: str, run: str, cwd: str, quote: str, scope: Scope = Scope.PROJECT) -> Memory:
        evidence = (Evidence(run, 1, 2, f"{run}#t1.1", f"{quote} word for word"),)
        times = (AT, AT, AT, AT)
        name = self.lane.home.tools().new_id("m")
        project = {"scope": scope, "project": cwd.rpartition("/")[2], "project_key": cwd}
        return Memory(name, "noor", Type.DECISION, text, text, *times, source_chunk=quote, evidence=evidence, **project)

    def _people(self) -> None:
        control = self.lane.control
        roles = {"admin": Role.ADMIN, "auditor": Role.AUDITOR}
        for name in filter(None, READERS):
            code, _made = control.codes.invite_person(name, roles.get(name, Role.MEMBER))
            made = control.machines.join(Joining(code, name, f"{name}-laptop", fresh=True))
            self.tokens[name] = made.token
        key = self.shared.project.key
        now = self.lane.home.clock
        self.lane.home.clock = lambda: now() - timedelta(hours=1)  # so that one of them has ended by now
        control.groups.add("team", ["grouped", "ungrouped"], "operator")
        until = (now() - timedelta(minutes=1)).isoformat()
        for whom, type_, name, reading, end in (
            ("lessons", GrantType.PROJECT, key, Reading.LESSONS, ""),
            ("transcripts", GrantType.PROJECT, key, Reading.TRANSCRIPTS, ""),
            ("team", GrantType.PROJECT, key, Reading.TRANSCRIPTS, ""),
            ("expired", GrantType.PROJECT, key, Reading.TRANSCRIPTS, until),
            ("revoked", GrantType.PROJECT, key, Reading.TRANSCRIPTS, ""),
            ("gone", GrantType.PROJECT, key, Reading.TRANSCRIPTS, ""),
        ):
            grant = control.grants.give(Grant("", "noor", type_, name, "shop", whom, reading=reading, until=end))
            if whom == "revoked":
                control.grants.revoke(grant.id, "noor")
        self.lane.home.clock = now
        control.groups.remove("team", ["ungrouped"], "operator")
        control.machines.revoke("gone-laptop", "gone")

    # -- asked -------------------------------------------------------------------------------------------------------

    def ask(self, reader: str, method: str, path: str, fields: object = None) -> tuple[int, bytes]:
        return self.loop.run_until_complete(self._ask(reader, method, path, fields))

    async def _ask(self, reader: str, method: str, path: str, fields: object) -> tuple[int, bytes]:
        body = b"" if fields is None else json.dumps(fields).encode()
        path, _, query = path.partition("?")
        headers = [(b"host", b"central"), (b"content-length", str(len(body)).encode())]
        headers += [(b"content-type", b"application/json")] if fields is not None else []
        if token := self.tokens[reader]:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        scope: dict[str, Any] = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
        }
        told = list[Any]()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body}

        async def send(message: Any) -> None:
            told.append(message)

        self.door._asked._buckets.clear()  # a limit of its own is another test's
        self.door._knocked._buckets.clear()
        await self.door(scope, receive, send)
        return told[0]["status"], b"".join(one.get("body", b"") for one in told[1:])


Ask = tuple[str, object]  # a path, and what a POST says
RPC = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


FOLDER = {"name": "shop", "project": SHOP, "top": SHOP}


def _hook(words: str) -> Mapping[str, object]:
    return {"prompt": f"what about {words}?", "session_id": "s1", "cwd": SHOP, "transcript_path": "/none"}


def _tool(tool: str, **given: object) -> Mapping[str, object]:
    return {**RPC, "params": {"name": tool, "arguments": given}}


FEW = ("till", f"{PRIVATE_RUN[:-1]}x")
WORDS = (*FEW, *sorted(ALL), f"{PRIVATE_LESSON[:-1]}x")


def asks(route: Route, world: Household, words: Sequence[str]) -> Iterator[Ask]:
    """Everything that may bring up something of Noor's. A route that is not here fails the grid."""
    runs, memories = [world.shared.id, world.private.id], list(world.memories.values())
    which: Sequence[Mapping[str, object]] = ({}, {"only": runs}, {"tag": LABEL}, {"project": "diary"})
    filters = ["", f"?tag={LABEL}", "?project=diary", "?limit=1", "?touched=till.py"]
    fixed: Mapping[str, Callable[[], Iterator[Ask]]] = {
        "GET /api/runs": lambda: ((f"/api/runs{one}", None) for one in filters),
        "GET /api/runs/forest": lambda: ((f"/api/runs/forest{one}", None) for one in filters),
        "POST /api/search": lambda: (("/api/search", {"query": one}) for one in words),
        "POST /api/recall": lambda: (("/api/recall", {"prompt": one}) for one in [*words, "what about the till?"]),
        "GET /api/memories": lambda: iter([("/api/memories", None), ("/api/memories?project=diary", None)]),
        "POST /api/memories": lambda: iter([("/api/memories", {"text": "the till is red"})]),
        "POST /api/feedback": lambda: (("/api/feedback", {"memory": one, "verdict": "down"}) for one in memories),
        "POST /api/outcomes": lambda: (("/api/outcomes", {"run": one, "outcome": "failure"}) for one in runs),
        "GET /api/openapi.json": lambda: iter([("/api/openapi.json", None)]),
        "POST /mcp": lambda: (("/mcp", one) for one in _tools(words, runs, memories)),
        "POST /api/views/search": lambda: (
            ("/api/views/search", {"query": one, "which": how}) for one in words for how in which[:2]
        ),
        "POST /api/views/runs": lambda: (("/api/views/runs", {"which": how}) for how in which),
        "POST /api/views/run": lambda: (
            ("/api/views/run", {"run": run, "at": at, "first": 0, "most": 99}) for run in runs for at in ("", "t1.1")
        ),
        "POST /api/shares/mark": lambda: iter([("/api/shares/mark", {"version": ""})]),
        "GET /api/shares/lent": lambda: iter([("/api/shares/lent", None)]),
        "POST /api/lines": lambda: iter([("/api/lines", {"files": []})]),
        "GET /api/ship": lambda: iter([("/api/ship", None)]),
        "POST /api/ship": lambda: iter([("/api/ship", None)]),
        "POST /api/join": lambda: iter([("/api/join", {"code": "aaaa", "user": "noor", "machine": "x"})]),
        "POST /api/views/recall": lambda: (
            ("/api/views/recall", {"prompt": one, "cwd": SHOP, "file": "", "folder": FOLDER}) for one in words
        ),
        "POST /api/hooks/{agent}/{event}": lambda: (
            ("/api/hooks/claude-code/UserPromptSubmit", {"given": _hook(one), "folder": FOLDER, "within": 5000})
            for one in words
        ),
    }
    named = f"{route.method} {route.path}"
    if named in fixed:
        yield from fixed[named]()
    elif "{run}" in route.path:
        fields: Mapping[str, object] | None = {} if route.method == "POST" else None
        yield from ((route.path.replace("{run}", one), fields) for one in runs)
    elif "{memory}" in route.path:
        yield from ((route.path.replace("{memory}", one), None) for one in memories)
    elif route.own and route.method == "GET":
        yield route.path, None
    elif route.own:  # it changes Central's records: its fields are checked first, and none of ours is whole
        yield route.path, {}
    else:
        raise LookupError(f"say in campaigns/reads.py how {named} is asked")


def _tools(words: Sequence[str], runs: Sequence[str], memories: Sequence[str]) -> Iterator[Mapping[str, object]]:
    for word in words:
        yield _tool("search", query=word)
        yield _tool("recall", prompt=word)
    for run in runs:
        yield _tool("read_run", run=run)
        yield _tool("share", what=run, whom="stranger")
    for memory in memories:
        yield _tool("share", what=memory, whom="stranger")
        yield {**RPC, "method": "resources/read", "params": {"uri": f"memory://{memory}"}}
    yield {**RPC, "method": "resources/read", "params": {"uri": "memories://list"}}
    yield _tool("entities", name="till")


UNWRITTEN = b"this is not shared"


def cells(
    world: Household, readers: Iterable[str], words: Sequence[str] = WORDS
) -> Iterator[tuple[str, str, set[str]]]:
    """Who asked, what, and which of Noor's words they were told without saying them; "" where a guest was refused."""
    for route in world.routes:
        for path, fields in asks(route, world, words):
            said = json.dumps(fields) if fields is not None else path
            for reader in readers:
                _status, body = world.ask(reader, route.method, path, fields)
                found = {word for word in ALL if word.encode() in body and word not in said}
                found |= {""} if UNWRITTEN in body else set()
                yield reader, f"{route.method} {path} {said}", found


def page_cells(
    world: Household, readers: Iterable[str], words: Sequence[str] = WORDS
) -> Iterator[tuple[str, str, set[str]]]:
    """The same of the pages in a browser."""
    ids = {"run": [world.shared.id, world.private.id], "memory": list(world.memories.values())}
    values = {**ids, "q": words, "prompt": words, "find": words, "tree": ids["run"], "runs": ids["run"], "tag": [LABEL]}
    for reader in readers:
        pages = world.pages.get(reader)
        for path in pages.asks(values) if pages is not None else ():
            body = pages.shown(path)
            found = {word for word in ALL if word.encode() in body and word not in path}
            yield reader, f"page {path}", found | ({""} if UNWRITTEN in body else set())


def grid(world: Household, readers: Sequence[str] = tuple(READERS), words: Sequence[str] = WORDS) -> GridResult:
    """Pages first: they also show what their reader has asked an agent before."""
    result, seen = GridResult(), [reader for reader in readers if reader in world.pages]
    result.pages = _looked_over(result, page_cells(world, seen, words), seen)
    result.cells = _looked_over(result, cells(world, readers, words), readers)
    result.uneven = list(_uneven(world, readers))
    return result


def _looked_over(result: GridResult, every: Iterable[tuple[str, str, set[str]]], readers: Sequence[str]) -> int:
    """How many there were. Whoever may be told something is told it somewhere."""
    told, count = {reader: set[str]() for reader in readers}, 0
    for reader, asked, found in every:
        count += 1
        if "" in found:
            result.refused.append(f"{reader} {asked}")
        told[reader] |= found - {""}
        result.leaks += [Leak(reader, asked, one) for one in sorted(found - READERS[reader] - {""})]
    result.missing += [f"{reader}: {word}" for reader in readers for word in sorted(READERS[reader] - told[reader])]
    return count


def _uneven(world: Household, readers: Iterable[str]) -> Iterator[str]:
    """What is not there and what is not shared are refused alike."""
    for reader in readers:
        for method, path, real, unreal in (
            ("GET", "/api/runs/{}", world.private.id, "r_aaaaaaaaaaaaa"),
            ("GET", "/api/runs/{}/raw", world.private.id, "r_aaaaaaaaaaaaa"),
            ("POST", "/api/runs/{}/frames", world.shared.id, "r_aaaaaaaaaaaaa"),
            ("GET", "/api/memories/{}", world.memories["private"], "m_aaaaaaaaaaaaa"),
        ):
            if reader != "noor":
                fields: Mapping[str, object] | None = {} if method == "POST" else None
                one, other = (world.ask(reader, method, path.format(id), fields) for id in (real, unreal))
                if (one[0], one[1].replace(real.encode(), unreal.encode())) != other:
                    yield f"{reader} {path}: {one} and {other}"


def database() -> str:
    """A database of its own in the shared server."""
    name = f"reads_{uuid4().hex[:8]}"
    with psycopg.connect(shared().url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type] - a name of ours
    return shared().url.replace("/postgres?", f"/{name}?")


def caught(mutant: Mutant, world: Household) -> bool:
    """By those it can concern; one leak is enough."""
    readers = ("lessons", "transcripts", "expired", "ungrouped")
    with mutant.breaking():
        found = cells(world, readers)
        return any(words - READERS[reader] - {""} for reader, _asked, words in found) or any(_uneven(world, readers))


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--postgres", action="store_true", help="indexes in a PostgreSQL of its own")
    parser.add_argument("--mutants", action="store_true", help="also builds with one filter left out")
    chosen = parser.parse_args()
    folder = scratch()
    world = Household(folder, database() if chosen.postgres else "")
    figures: dict[str, object] = {"engine": "PostgreSQL" if chosen.postgres else "embedded"}
    missed = list[str]()
    try:
        result = grid(world)
        timed = {reader: _timed(world, reader) for reader in ("stranger", "lessons")}
        if chosen.mutants:
            missed = [m.name for m in MUTANTS if not caught(m, world)]
            figures |= {"mutants": len(MUTANTS), "caught": len(MUTANTS) - len(missed)}
    finally:
        world.close()
        shutil.rmtree(folder)
    figures |= {"cells": result.cells, "cells of pages": result.pages, "leaks": len(result.leaks)}
    figures |= {"what is there took longer to refuse, share of pairs": timed}
    figures |= {"routes": len(world.routes), "readers": len(READERS)}
    faults = {
        "leaks": [f"{one.reader} {one.route}: {one.word}" for one in result.leaks],
        "uneven refusals": result.uneven,
        "refused": result.refused,
        "not told": result.missing,
        "not caught": missed,
        "told by time": [f"{who}: {share:.2f}" for who, share in timed.items() if not EVEN[0] <= share <= EVEN[1]],
    }
    report.tell(_command(chosen), figures, faults, chosen)


def _timed(world: Household, reader: str) -> float:
    return slower(lambda id: world.ask(reader, "GET", f"/api/runs/{id}"), world.private.id, "r_aaaaaaaaaaaaa")


def _command(chosen: argparse.Namespace) -> str:
    told = [f"--{name}" for name in ("postgres", "mutants") if getattr(chosen, name)]
    return " ".join(["python -m campaigns.reads", *told])


if __name__ == "__main__":
    main()
