"""The stream: what is new while one listens, and what was missed when one comes back."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memlane.domain import Recall
from memlane.surfaces.web.news import MOST
from tests.flow.homes import a_lane
from tests.rooms.api.http_home import Http, served


class Listening:
    """A line that is read piece by piece."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._rest = ""

    def until(self, so: str) -> str:
        while so not in self._rest:
            piece = self._line.recv(1 << 16)
            assert piece, f"it ended before it said {so!r}: {self._rest}"
            self._rest += piece.decode()
        return self._rest

    @property
    def ended(self) -> bool:
        while piece := self._line.recv(1 << 16):
            self._rest += piece.decode()
        return True


@contextmanager
def listening(http: Http, **headers: str) -> Iterator[Listening]:
    named = {**http.usual(), **{name.replace("_", "-"): value for name, value in headers.items()}}
    lines = [f"{name}: {value}" for name, value in named.items()]
    with socket.create_connection(("127.0.0.1", http.port)) as line:
        line.settimeout(20)
        line.sendall("\r\n".join(["GET /events HTTP/1.1", *lines, "", ""]).encode())
        yield Listening(line)


def recalled(folder: Path, words: str = "how do deploys go") -> Recall:
    with a_lane(folder) as lane:
        found = lane.recall.asked(words, folder)
        lane.recall.keep(found)
    return found


def begun(folder: Path) -> None:
    with a_lane(folder) as lane:
        lane.memories.remember("Deploys go through make ship", folder)


def test_a_recall_is_told_while_one_listens(tmp_path: Path) -> None:
    begun(tmp_path)
    with served(tmp_path) as http, listening(http) as line:
        line.until("\nid: ")
        recalled(tmp_path)  # the first look is what everything is compared with
        found = recalled(tmp_path)
        told = line.until(found.id)
        assert json.dumps({"what": "recall", "about": found.id}, separators=(",", ":")) in told
        assert "how do deploys" not in told  # that there is one, never what


def test_who_comes_back_is_told_what_was_missed_in_its_order(tmp_path: Path) -> None:
    begun(tmp_path)
    seen = recalled(tmp_path)
    missed = [recalled(tmp_path, f"how do deploys go, part {n}") for n in range(3)]
    with served(tmp_path) as http, listening(http, Last_Event_ID=seen.at.isoformat()) as line:
        told = line.until('"again"')
    assert [told.index(one.id) for one in missed] == sorted(told.index(one.id) for one in missed)


def test_what_is_no_time_is_no_beginning(tmp_path: Path) -> None:
    begun(tmp_path)
    found = recalled(tmp_path)
    with served(tmp_path) as http, listening(http, Last_Event_ID="yesterday") as line:
        assert found.id not in line.until("\nid: ")


def test_one_listener_too_many_takes_the_place_of_the_oldest(tmp_path: Path) -> None:
    begun(tmp_path)
    with served(tmp_path) as http, listening(http) as oldest:
        oldest.until("\nid: ")
        lines = [listening(http) for _ in range(MOST)]
        others = [line.__enter__() for line in lines]
        for one in others:
            one.until("\nid: ")
        recalled(tmp_path)
        recalled(tmp_path)
        assert oldest.ended
        for line in lines:
            line.__exit__(None, None, None)
