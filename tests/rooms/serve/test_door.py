"""Central's door in this process: what becomes of questions that wait while something changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from memlane.app import Lane
from memlane.app.control import Joining, PersonState, Role
from memlane.surfaces.serve.address import CentralAddress
from memlane.surfaces.serve.door import CentralDoor
from memlane.surfaces.serve.owners import CENTRAL, OwnerDesks
from memlane.surfaces.serve.process import table
from memlane.surfaces.serve.trail import trail
from tests.flow.homes import a_lane

Message = MutableMapping[str, Any]


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

    async def ask(
        self, path: str, fields: object = None, token: str = "", **headers: str
    ) -> tuple[int, dict[str, Any] | bytes]:
        body = b"" if fields is None else json.dumps(fields).encode()
        given = {"host": "central", "authorization": f"Bearer {token}", **headers}
        given |= {"content-type": "application/json", "content-length": str(len(body))} if body else {}
        scope: Message = {
            "type": "http",
            "method": "GET" if fields is None else "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 1),
        }
        sent = list[Message]()

        async def receive() -> Message:
            return {"type": "http.request", "body": body}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.door(scope, receive, send)
        answer = b"".join(one.get("body", b"") for one in sent[1:])
        return sent[0]["status"], json.loads(answer) if answer[:1] == b"{" else answer


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


async def waiting(desks: OwnerDesks, owner: str, most: int) -> None:
    while sum(desk.waiting for (name, _use), desk in desks._desks.items() if name == owner) < most:
        await asyncio.sleep(0.01)


def test_a_question_that_waited_while_its_person_was_removed_is_refused_and_brings_nobody_back(at: AtTheDoor) -> None:
    token, go_on = at.joined("rex"), Event()

    async def removed_meanwhile() -> Sequence[Any]:
        at.desks.ask(CENTRAL, lambda _lane: go_on.wait())
        asked = asyncio.ensure_future(at.ask("/api/machines/invite", {}, token))
        await waiting(at.desks, CENTRAL, 2)
        at.lane.control.leave("rex", "ann")
        go_on.set()
        return await asked

    status, said = asyncio.run(removed_meanwhile())
    assert (status, said["error"]["kind"]) == (401, "revoked")
    assert at.lane.control.people.one("rex").state is PersonState.LEFT
