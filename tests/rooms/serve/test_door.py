"""Central's door in this process: what becomes of questions that wait while something changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, MutableMapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from memlane.app import Lane
from memlane.app.control import Joining, PersonState, Role
from memlane.archive.frame import LARGEST_PIECE, FrameHead, Part, frame, packed
from memlane.domain import RunFilter
from memlane.surfaces.api import HttpReply
from memlane.surfaces.serve.address import CentralAddress
from memlane.surfaces.serve.bodies import ONE_PIECE, long_reply, sent
from memlane.surfaces.serve.door import CentralDoor
from memlane.surfaces.serve.limits import Limit
from memlane.surfaces.serve.owners import CENTRAL, MOST_OF_ONE, DeskUse, OwnerDesks
from memlane.surfaces.serve.process import table
from memlane.surfaces.serve.trail import trail
from tests.flow.homes import a_lane, prompt, transcript, write

Message = MutableMapping[str, Any]
Answered = tuple[int, dict[str, Any]]


@dataclass
class AtTheDoor:
    lane: Lane
    desks: OwnerDesks
    door: CentralDoor
    said: list[str] = field(default_factory=list[str])

    def joined(self, name: str, machine: str = "laptop") -> str:
        """The token of somebody's machine."""
        code, _made = self.lane.control.codes.invite_person(name, Role.MEMBER)
        return self.lane.control.machines.join(Joining(code, name, machine, fresh=True)).token

    def held_up(self) -> Event:
        """Central's own desk does nothing until this is set."""
        go_on = Event()
        self.desks.ask(CENTRAL, lambda _lane: go_on.wait(), by="/busy")
        return go_on

    @property
    def waiting(self) -> int:
        return self.desks._desks[CENTRAL, DeskUse.ASKED].waiting

    async def ask(self, path: str, fields: object = None, token: str = "", **headers: str) -> Answered:
        body = fields if isinstance(fields, bytes) else b"" if fields is None else json.dumps(fields).encode()
        content = "application/vnd.memlane.frames" if isinstance(fields, bytes) else "application/json"
        given = {"host": "central", "authorization": f"Bearer {token}", **headers}
        given |= {"content-type": content, "content-length": str(len(body))} if body else {}
        scope: Message = {
            "type": "http",
            "method": "GET" if fields is None else "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 1),
        }
        told = list[Message]()

        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        async def send(message: Message) -> None:
            told.append(message)

        await self.door(scope, receive, send)
        pieces = [one["body"] for one in told[1:]]
        is_document = (b"content-type", b"application/json") in told[0]["headers"]
        return told[0]["status"], json.loads(b"".join(pieces)) if is_document else {"pieces": pieces}


@pytest.fixture
def at(tmp_path: Path) -> Iterator[AtTheDoor]:
    with a_lane(tmp_path) as lane:
        lane.home.begin()
        _ = lane.control.central
        said = list[str]()
        desks, audit = OwnerDesks(lane.config), trail(lane.config, lambda _level, text: said.append(text))
        door = CentralDoor(table(), CentralAddress(lane.control), desks, audit, lambda _level, text: said.append(text))
        yield AtTheDoor(lane, desks, door, said)
        desks.close()
        audit.close()


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


@pytest.mark.fault("K2")
def test_a_question_that_waited_while_its_person_was_removed_is_refused_and_brings_nobody_back(at: AtTheDoor) -> None:
    token, go_on = at.joined("rex"), at.held_up()

    async def removed_meanwhile() -> Answered:
        asked = asyncio.ensure_future(at.ask("/api/machines/invite", {}, token))
        await until(lambda: at.waiting == 2)
        at.lane.control.leave("rex", "ann")
        go_on.set()
        return await asked

    status, said = asyncio.run(removed_meanwhile())
    assert (status, said["error"]["kind"]) == (401, "revoked")
    assert at.lane.control.people.one("rex").state is PersonState.LEFT


def test_one_person_cannot_fill_the_desk_that_is_for_all(at: AtTheDoor) -> None:
    mal, noor, go_on = at.joined("mal"), at.joined("noor"), at.held_up()

    async def both_ask() -> list[int]:
        asked = [asyncio.ensure_future(at.ask("/api/machines", None, mal)) for _n in range(MOST_OF_ONE + 1)]
        await until(lambda: at.waiting == MOST_OF_ONE + 1 and asked[-1].done())
        asked.append(asyncio.ensure_future(at.ask("/api/machines", None, noor)))
        await until(lambda: at.waiting == MOST_OF_ONE + 2)
        go_on.set()
        return [status for status, _said in await asyncio.gather(*asked)]

    assert asyncio.run(both_ask()) == [200] * MOST_OF_ONE + [503, 200]


def test_however_many_ask_whether_it_is_ready_it_looks_once(at: AtTheDoor) -> None:
    go_on = at.held_up()

    async def many_ask() -> list[int]:
        asked = [asyncio.ensure_future(at.ask("/ready")) for _n in range(100)]
        await until(lambda: at.waiting == 2)
        await asyncio.sleep(0.1)
        assert at.waiting == 2
        go_on.set()
        return [status for status, _said in await asyncio.gather(*asked)]

    assert asyncio.run(many_ask()) == [200] * 100


@pytest.mark.parametrize("header", ["x_forwarded_for", "forwarded"])
def test_what_comes_through_a_proxy_on_this_computer_gets_no_metrics(at: AtTheDoor, header: str) -> None:
    assert asyncio.run(at.ask("/metrics"))[0] == 200
    assert asyncio.run(at.ask("/metrics", **{header: "203.0.113.9"}))[0] == 403


def test_what_is_sent_counts_with_all_that_it_unpacks_to(at: AtTheDoor) -> None:
    token, body = at.joined("mal"), packed([frame(FrameHead(Part.RAW, metadata="{}"), bytes(LARGEST_PIECE))])
    at.door._sent = Limit(1.5 * LARGEST_PIECE, 1, "too much")
    assert len(body) < LARGEST_PIECE / 100
    assert [asyncio.run(at.ask("/api/ship", body, token))[0] for _n in range(2)] == [200, 429]


def test_a_long_answer_is_read_as_it_is_taken(at: AtTheDoor) -> None:
    """Who asks and does not read makes us hold one piece."""
    left, steps = [b"one", b"two"], list[str]()

    def more() -> Future[bytes]:
        steps.append("read")
        return at.desks.ask(CENTRAL, lambda _lane: left.pop(0) if left else b"")

    async def send(message: Message) -> None:
        steps.append(message.get("body", b"head").decode() or "end")

    asyncio.run(sent(send, long_reply(HttpReply(200), more), "GET"))
    assert steps == ["head", "read", "one", "read", "two", "read", "end"]


def test_a_long_run_comes_whole_though_it_is_never_whole_in_memory(at: AtTheDoor, tmp_path: Path) -> None:
    token, path = at.joined("ann"), transcript(tmp_path)
    write(path, [prompt("hello"), {"type": "system", "subtype": "padding", "content": "x" * (5 * ONE_PIECE // 2)}])
    at.lane.capture.sweep()
    (run,) = at.lane.runs.select(RunFilter())
    status, said = asyncio.run(at.ask(f"/api/runs/{run.id}/raw", None, token))
    assert (status, b"".join(said["pieces"])) == (200, path.read_bytes())
    assert [len(one) for one in said["pieces"]][:2] == [ONE_PIECE] * 2


@pytest.mark.parametrize("size", [0, 1, ONE_PIECE, ONE_PIECE + 1, 2 * ONE_PIECE])
def test_a_large_answer_goes_out_in_pieces_and_whole(size: int) -> None:
    messages = list[Message]()

    async def send(message: Message) -> None:
        messages.append(message)

    body = bytes(range(256)) * (size // 256 + 1)
    asyncio.run(sent(send, HttpReply(200, body[:size]), "GET"))
    assert b"".join(one["body"] for one in messages[1:]) == body[:size]
    assert max(len(one["body"]) for one in messages[1:]) <= ONE_PIECE
    assert [one.get("more_body", False) for one in messages[1:]] == [True] * (len(messages) - 2) + [False]
