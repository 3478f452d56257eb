"""The bank of the examples: who is known, what was remembered, an embedder with the similarities of each case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memlane.app import Lane
from memlane.domain import Entity, Memory, Mention, Project, Query, Recall, Scope, Type
from memlane.embed import EmbedderError, EmbedderSpec
from tests.flow.homes import a_lane

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
HERE = Project("notebook", "notebook")
LOW = 0.05  # of every memory a case does not speak of

PEOPLE = ("Neal Brown", "Amy Hoy", "Mark Stone", "Mark Reyes", "Adam Tetterus", "Adam King", "Alex Hillman")
ENTITIES = (
    *(Entity("person", f"{name.split()[1]}-{name.split()[0]}".lower(), name) for name in PEOPLE),
    Entity("business", "indy-hall", "Indy Hall"),
    Entity("business", "stacking-the-bricks", "Stacking the Bricks"),
    Entity("business", "goodsomm", "GoodSomm"),
    Entity("project", "andy-core", "andy-core"),
    Entity("project", "mailer", "mailer"),
    Entity("website", "indyhall-org", "indyhall.org"),
    Entity("website", "stackingthebricks-com", "stackingthebricks.com"),
    Entity("community", "10k", "10k"),
    Entity("agent", "andy", "Andy"),
    Entity("feature", "memory-lane", "memory-lane"),
)
_KEYS = {entity.slug: entity.type for entity in ENTITIES}


def _m(id: str, type_: str, title: str, about: str = "", **more: object) -> Memory:
    days, seen = float(str(more.pop("days", 3))), NOW
    seen = NOW - timedelta(days=days)
    mentions = tuple(Mention(_KEYS[slug], slug, slug, resolved=True) for slug in about.split())
    made = Memory(id, "ann", Type(type_), title, title, seen, seen, seen, seen, related_entities=mentions)
    return replace(made, confidence=80, scope=Scope.PROJECT, project=HERE.name, project_key=HERE.key, **more)


BANK = (
    _m(
        "M1",
        "learning",
        "Drink & Draw events happen every Tuesday at Indy Hall",
        "indy-hall",
        days=10,
        times_observed=2,
    ),
    _m("M2", "decision", "User scheduled Happy Hour for December community event", "indy-hall", days=5),
    replace(
        _m("M3", "learning", "Indy Hall checkin count reached 847 this month", "indy-hall", days=1, times_observed=5),
        confidence=95,
    ),
    replace(
        _m("M4", "workflow_note", "Website copy for indyhall.org updated", "indy-hall indyhall-org", days=1),
        confidence=90,
    ),
    _m("M5", "commitment", "Alex prefers meeting in the Boardroom at Indy Hall", "indy-hall hillman-alex", days=20),
    replace(
        _m("M6", "correction", "Amy Hoy prefers casual, friendly email tone", "hoy-amy", category="email"),
        confidence=92,
    ),
    _m("M7", "pattern_seed", "User batches email follow-ups to Fridays", times_observed=3, category="email"),
    replace(
        _m("M8", "correction", "User wants sequential memory processing, not concurrent", "andy-core"), confidence=90
    ),
    replace(_m("M9", "gap", "Memory selection reasoning not surfaced in output", "andy-core"), confidence=90),
    replace(_m("M10", "gap", "No explicit reasoning chains in memories", "andy-core"), confidence=90),
    replace(_m("M11", "correction", "Delete ALL memories before backfill, not just test", "andy-core"), confidence=50),
    replace(_m("M12", "insight", "Andy memory system uses hybrid retrieval", "andy-core"), confidence=90),
    replace(_m("M13", "learning", "MCP health server needed restart after changes", "andy-core"), confidence=90),
    replace(
        _m("M14", "decision", "User chose full memory database replacement over incremental", "andy-core"),
        confidence=85,
    ),
    replace(
        _m("M15", "correction", "Don't use ellipses in messages: comes across as passive aggressive", "andy"),
        confidence=95,
    ),
    replace(
        _m("M16", "insight", "Hybrid retrieval dramatically improves entity search relevance", "andy-core memory-lane"),
        confidence=78,
    ),
    _m("M17", "commitment", "Neal Brown wants a short agenda the day before", "brown-neal"),
    replace(_m("M18", "learning", "Neal Brown's last invoice was paid by card", "brown-neal", days=1), confidence=95),
    _m(
        "M19",
        "decision",
        "Stacking the Bricks website moves to static pages",
        "stacking-the-bricks stackingthebricks-com",
    ),
    _m("M20", "learning", "Stacking the Bricks website counted 212 posts", "stacking-the-bricks stackingthebricks-com"),
    _m("M21", "learning", "GoodSomm hosted a wine tasting", "goodsomm", days=60),
    replace(_m("M22", "workflow_note", "GoodSomm logo files were renamed", "goodsomm", days=1), confidence=95),
    _m("M23", "workflow_note", "Newsletter is drafted Monday, scheduled for Thursday 9:00"),
    _m(
        "M24",
        "pattern_seed",
        "Email triage: archive first, answer what takes two minutes, the rest waits",
        times_observed=4,
    ),
    _m("M25", "gap", "Nothing tells us when an MCP server stops answering"),
    _m("M26", "decision", "Member survey goes out in January", days=9),
    _m("M27", "decision", "Member survey asks five questions", days=90),
    _m(
        "M28",
        "insight",
        "Many first students of Stacking the Bricks were Indy Hall members",
        "indy-hall stacking-the-bricks",
    ),
    _m("M29", "learning", "Three people of the 10k community came to Drink & Draw", "10k indy-hall"),
    _m("M30", "learning", "Mark Stone wants the budget first", "stone-mark"),
    _m("M31", "learning", "Mark Reyes wants a smaller scope", "reyes-mark"),
    _m("M32", "learning", "Adam Tetterus meets every second Wednesday", "tetterus-adam"),
    _m("M33", "learning", "Adam King moved to Lisbon", "king-adam"),
    replace(_m("M34", "correction", "send.py: never retry on a 4xx answer", "mailer", days=14), confidence=90),
    _m("M35", "commitment", "Mailing lists are filtered by sender, never by subject", category="email"),
    _m("M36", "cross_agent", "The test database is emptied every night at 03:00", "mailer", target_agents=("codex",)),
)

Floats = NDArray[np.float32]


@dataclass(slots=True)
class Stub:
    """Gives a memory and a prompt the similarity the case says. `broken`: it raises, as a model that is down does."""

    given: Mapping[str, Mapping[str, float]]  # prompt → memory's text → similarity
    texts: Sequence[str]
    alike: float = 0.0  # of two prompts
    broken: bool = False
    tag: str = "stub@64"
    calibration: Mapping[str, float] | None = None
    spec: EmbedderSpec | None = None

    def __post_init__(self) -> None:
        self.calibration, self.spec = {}, EmbedderSpec()  # the cosine is the similarity

    def reads(self, _language: str) -> bool:
        return True

    def query(self, text: str) -> Floats:
        if self.broken:
            raise EmbedderError("the model is down")
        prompts = list(self.given)
        made = np.zeros(64, np.float32)
        if text in prompts:
            made[prompts.index(text)] = 1.0
            if prompts.index(text) and self.alike:
                made[:2] = self.alike, (1 - self.alike**2) ** 0.5
        else:
            made[63] = 1.0
        return made

    def passages(self, texts: Sequence[str]) -> Floats:
        made = np.zeros((len(texts), 64), np.float32)
        for row, text in enumerate(texts):
            if text in self.given:  # a message, not a memory
                made[row] = self.query(text)
                continue
            for n, similar in enumerate(self.given.values()):
                made[row, n] = similar.get(text, LOW)
            rest = max(0.0, 1.0 - float(made[row] @ made[row]))
            made[row, 4 + self.texts.index(text)] = rest**0.5
        return made

    def close(self) -> None:
        """Nothing is held."""


class World:
    """One home with a bank in it, asked at one instant."""

    def __init__(self, lane: Lane, memories: Sequence[Memory], stub: Stub, project: Project) -> None:
        self.lane, self.memories, self.project = lane, {memory.id: memory for memory in memories}, project
        lane.home.recall_model = stub  # type: ignore[assignment]

    def ask(self, words: str, *, run: str = "r_1", agent: str = "claude-code") -> Recall:
        query = Query(words, self.project, "/notebook", agent, "s", run)
        found = self.lane.recall.recall(query)
        self.lane.recall.keep(found)
        return found


@contextmanager
def world(
    folder: Path,
    given: Mapping[str, Mapping[str, float]],
    *,
    memories: Sequence[Memory] = BANK,
    project: Project = HERE,
    **more: object,
) -> Iterator[World]:
    """`given`: prompt → memory's id → similarity."""
    placed = [replace(one, project=project.name, project_key=project.key) for one in memories]
    texts = {one.id: one.text for one in placed}
    by_text = {prompt: {texts[id]: similar for id, similar in those.items()} for prompt, those in given.items()}
    settings = {"LANE_RECALL_PER_PROMPT": "99", "LANE_RECALL_PER_RUN": "99", "LANE_RECALL_TOKENS_PER_RUN": "99999"}
    caps = {} if more.pop("caps", False) else settings
    settings_more = {name: str(more.pop(name)) for name in list(more) if name.startswith("LANE_")}
    stub = Stub(by_text, list(texts.values()), **more)  # type: ignore[arg-type]
    folder.mkdir(exist_ok=True)
    with a_lane(folder, **caps, **settings_more) as lane:
        lane.home.clock = lambda: NOW
        lane.home.begin()
        storage = lane.home.storage()
        with lane.home.lock.held():
            for entity in ENTITIES:
                storage.entities.put(entity, "ann")
            for memory in placed:
                storage.memories.put(memory)
            storage.memories.give(stub.tag, placed, stub.passages([memory.text for memory in placed]), NOW)
        yield World(lane, placed, stub, project)


def ids(recall: Recall) -> list[str]:
    return [match.memory.id for match in recall.shown]
