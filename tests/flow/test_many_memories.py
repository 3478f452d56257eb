"""Much is known and was told, and nobody waits for it: hooks and pages read as much among 6,400 as among 800."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import apsw
import pytest

from memlane.app import Lane
from memlane.domain import Memory, Mention, Occasion, Scope, State, Type
from memlane.storage.embedded import EmbeddedStorage
from tests.conformance.rows import a_recall
from tests.flow.homes import a_lane

FEW, MANY = 800, 6_400
NOTE = "Deploys of the shop go through make ship, never through kubectl apply"
FILE_NOTE = "In prices.py amounts are kept in cents, never as floats"
PROMPT = "how do deploys of the shop go, through make ship or kubectl apply?"
DAY = datetime(2026, 5, 1, tzinfo=UTC)


def a_home(folder: Path, memories: int) -> tuple[Lane, Path]:
    """Words alone answer: vectors are kept in mind and cost no reading."""
    folder.mkdir()
    lane = a_lane(folder, LANE_RECALL_MODEL="none")
    project = folder / "home" / "shop"
    project.mkdir()
    (project / "prices.py").touch()
    for note in (NOTE, FILE_NOTE):
        lane.memories.remember(note, project)
    lane.memories.remember("Prices are in cents", project, occasion=Occasion(always=True))
    lane.memories.remember("Sign every commit", project, occasion=Occasion("before committing"))
    storage = lane.home.storage()
    with storage.transaction():
        for n in range(memories):
            storage.memories.put(made_up(n, str(project)))
            storage.recalls.record(a_recall(f"l_{n:013}", "ann", n, f"r_{n}"))
    return lane, project


def made_up(n: int, project: str) -> Memory:
    at, key = DAY + timedelta(minutes=n), project if n % 2 else "example.org/other"
    text = f"The harbour of module_{n} is counted by ticket {n} of the shop"
    files = (Mention("file", f"src/m{n % 500}.py", f"src/m{n % 500}.py", resolved=True),) if n % 3 else ()
    scope = Scope.PERSON if n % 20 == 0 else Scope.PROJECT
    known = {"related_entities": files, "scope": scope, "project": "shop", "project_key": key}
    known |= {"always": n % 7 == 0, "when": "before committing" if n % 11 == 0 else ""}
    return Memory(f"m_{n:013}", "ann", Type.INSIGHT, text, text, at, at, at, at, **known)  # type: ignore[arg-type]


T = TypeVar("T")


def pages_read(lane: Lane, do: Callable[[], T]) -> tuple[int, T]:
    """Of the index, whether they came from the disk or from memory."""
    storage = lane.home.storage()
    assert isinstance(storage, EmbeddedStorage)
    raw: apsw.Connection = storage._db._raw  # pyright: ignore[reportPrivateUsage]
    kinds = (apsw.SQLITE_DBSTATUS_CACHE_HIT, apsw.SQLITE_DBSTATUS_CACHE_MISS)
    before = sum(raw.status(kind)[0] for kind in kinds)
    told = do()
    return sum(raw.status(kind)[0] for kind in kinds) - before, told


MOMENTS = {
    "prompt": ("UserPromptSubmit", {"prompt": PROMPT}),
    "nothing": ("UserPromptSubmit", {"prompt": "please count the windows of the lighthouse once more"}),
    "start": ("SessionStart", {"source": "startup"}),
    "file": ("PostToolUse", {"tool_name": "Read"}),
    "command": ("PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "git add -A"}}),
}


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, tuple[Lane, Path]]]:
    made = {many: a_home(tmp_path_factory.mktemp("homes") / str(many), many) for many in (FEW, MANY)}
    yield made
    for lane, _project in made.values():
        lane.close()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_hook_reads_about_as_much_among_many_memories_as_among_few(
    homes: dict[int, tuple[Lane, Path]], moment: str
) -> None:
    event, more = MOMENTS[moment]
    read: dict[int, int] = {}
    for many, (lane, project) in homes.items():
        touched = {"tool_input": {"file_path": str(project / "prices.py")}}
        given = {"session_id": f"{moment}-{many}", "cwd": str(project), **touched, **more}
        lane.recall.hooked("claude-code", event, {**given, "session_id": "first"})
        if event != "SessionStart":  # else a prompt gives the rules that the start would have given
            began = lane.recall.hooked("claude-code", "SessionStart", {**given, "source": "startup"}).recall
            assert began is not None
            lane.recall.keep(began)
        read[many], told = pages_read(lane, lambda: lane.recall.hooked("claude-code", event, given))  # noqa: B023
        assert bool(told.output) is (moment != "nothing")
    assert read[MANY] < 2 * read[FEW]


# Insights count what was told: the newest ten thousand, however many memories there are.
PAGES = ["/", "/runs", "/memories", "/entities", "/entities/review", "/dreams", "/calendar", "/health", "/settings"]
PICTURES = ["/river", "/map", "/calendar?what=memories"]  # of all of them: counted, none of them read


def drawn(lane: Lane, address: str) -> bytes:
    """A page as a browser is given it."""
    from memlane.surfaces.api.http import HttpRequest
    from memlane.surfaces.api.router import RouteRequest, found
    from memlane.surfaces.web import NewsStream, table

    path, _, query = address.partition("?")
    fields = dict(part.split("=") for part in query.split("&") if part)
    asked = HttpRequest("GET", path, fields, {}, (), None)
    route, named = found(table("", NewsStream(lambda: lane)), asked)
    return route.do(lane, RouteRequest(named, fields, asked)).body


@pytest.mark.parametrize("address", PAGES)
def test_a_page_reads_about_as_much_among_many_memories_as_among_few(
    homes: dict[int, tuple[Lane, Path]], address: str
) -> None:
    read: dict[int, int] = {}
    for many, (lane, _project) in homes.items():
        drawn(lane, address)
        read[many], page = pages_read(lane, lambda: drawn(lane, address))  # noqa: B023
        assert b"</html>" in page
    assert read[MANY] < 1.6 * read[FEW], "trees of eight times as many have one level more, not eight times the pages"


@pytest.mark.parametrize("address", PICTURES)
def test_a_picture_of_all_memories_reads_none_of_them(homes: dict[int, tuple[Lane, Path]], address: str) -> None:
    lane, _project = homes[MANY]
    drawn(lane, address)
    read, page = pages_read(lane, lambda: drawn(lane, address))
    assert b"</html>" in page
    every, _all = pages_read(lane, lambda: lane.memories.all(list(State)))
    assert read < every / 4


def test_what_is_about_the_shop_is_found_by_its_rarest_words(homes: dict[int, tuple[Lane, Path]]) -> None:
    lane, project = homes[MANY]
    found = lane.recall.asked(PROMPT, project)
    assert [match.memory.title for match in found.shown] == [NOTE]
