"""Rows to put into an index, and all that a Reader can be told about it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zlib import crc32

import numpy as np

from memlane.domain import (
    NO_PROJECT,
    Chunk,
    Entity,
    Evidence,
    Match,
    Memory,
    Mention,
    NameAnswer,
    Outcome,
    Query,
    Reader,
    Recall,
    RecallMoment,
    RunFilter,
    RunSummary,
    State,
    Touch,
    Type,
)
from memlane.domain.tokenizer import terms
from memlane.storage import IndexMark, Result, Storage

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
NOOR, MIRA = Reader("noor"), Reader("mira")
ANY = RunFilter()


def a_run(id: str, owner: str = "noor", ended: int | None = 0, **more: object) -> RunSummary:
    at = None if ended is None else NOON + timedelta(minutes=ended)
    run = RunSummary(id, owner, "laptop", "plain", f"native-{id}", 1, f"/home/{id}.jsonl", 10, started=at, ended=at)
    return replace(run, **more)  # type: ignore[arg-type]


def a_chunk(run: str, turn: int, text: str, step: int = 1, part: int = 0, author: str = "person") -> Chunk:
    return Chunk(run, turn, step, part, author, NOON, text)


def a_touch(run: str, path: str, turn: int = 1, minute: int | None = 0, changed: bool = False) -> Touch:
    at = None if minute is None else NOON + timedelta(minutes=minute)
    return Touch(run, turn, 1, path, changed, "Edit" if changed else "Read", at)


def a_memory(id: str, owner: str = "noor", minute: int = 0, **more: object) -> Memory:
    at = NOON + timedelta(minutes=minute)
    memory = Memory(id, owner, Type.DECISION, f"title {id}", f"content {id}", at, at, at, at)
    return replace(memory, **more)  # type: ignore[arg-type]


def a_recall(id: str, owner: str = "noor", minute: int = 0, run: str = "r_1", *shown: Memory) -> Recall:
    query = Query("where is it", NO_PROJECT, "/home/shop", "plain", "n", run, RecallMoment.PROMPT, ("a.py",))
    outcome = Outcome.SHOWN if shown else Outcome.SILENT
    matches = tuple(Match(memory, 0.5, 0.5, {"words": 0.5}, "words") for memory in shown)
    return Recall(id, owner, NOON + timedelta(minutes=minute), query, outcome, "", matches)


def fill(storage: Storage, owner: str, run: str, *texts: str) -> None:
    storage.runs.put(a_run(run, owner))
    storage.chunks.replace(run, owner, 0, [a_chunk(run, n, text) for n, text in enumerate(texts, 1)])


def a_vector(text: str, dimension: int = 64) -> np.ndarray:
    """Texts that share words are near each other."""
    made = np.zeros(dimension, np.float32)
    for word in terms(text):
        made += np.random.default_rng(crc32(word.encode())).standard_normal(dimension).astype(np.float32)
    return made / np.linalg.norm(made)


def give_vectors(storage: Storage, model: str = "m@64", most: int = 1000) -> list[str]:
    waiting = storage.vectors.waiting(model, most)
    if waiting:
        storage.vectors.put(model, waiting, np.stack([a_vector(chunk.text) for chunk in waiting]))
    return [chunk.text for chunk in waiting]


def give_memory_vectors(storage: Storage, model: str = "m@64") -> list[str]:
    waiting = storage.memories.waiting(model, 1000)
    storage.memories.give(model, waiting, np.array([a_vector(memory.text) for memory in waiting]), NOON)
    return [memory.id for memory in waiting]


def near(
    storage: Storage, text: str, which: RunFilter = ANY, reader: Reader = NOOR, model: str = "m@64", limit: int = 1000
) -> list[str]:
    return [one.chunk.text for one in storage.vectors.nearest(a_vector(text), model, which, reader, limit)]


def having(storage: Storage, *words: str, reader: Reader = NOOR) -> dict[str, int]:
    return dict(storage.chunks.statistics(words, reader).having)


def found(storage: Storage, words: str, reader: Reader = NOOR, which: RunFilter = ANY, limit: int = 1000) -> list[str]:
    return [one.chunk.text for one in storage.chunks.matching(list(terms(words)), which, reader, limit)]


def everything_of(storage: Storage, reader: Reader) -> list[object]:
    """All that this Reader can be told."""
    runs = storage.runs
    return [
        runs.listed(RunFilter(), reader),
        runs.count(reader),
        runs.projects(reader),
        [runs.get(id, reader) for id in ("r_1", "r_2", "r_m")],
        [runs.by_native_id(f"native-{id}", reader) for id in ("r_1", "r_m")],
        runs.starting_with("r_", reader),
        runs.children("r_1", reader),
        sorted(found(storage, "zebra lion", reader)),
        storage.chunks.count(reader),
        storage.chunks.near_terms("zebro", reader),
        storage.chunks.statistics(["zebra", "lion"], reader),
        storage.chunks.matching(["zebra", "lion"], RunFilter(), reader, 1000),
        [storage.chunks.of_run(id, reader) for id in ("r_1", "r_m")],
        storage.vectors.nearest(a_vector("zebra"), "m@64", RunFilter(), reader, 1000),
        storage.vectors.likeness([a_chunk("r_1", 1, ""), a_chunk("r_m", 1, "")], a_vector("zebra"), "m@64", reader),
        storage.vectors.share("m@64", reader),
        storage.touches.of("a.py", RunFilter(), reader),
        storage.prompts.holders("u1", reader),
        storage.memories.listed(list(State), reader),
        storage.memories.count(list(State), reader),
        storage.memories.has(list(State), reader),
        storage.memories.foremost("", "plain", reader, 9),
        storage.memories.standing("", "plain", reader, 9),
        storage.memories.sharing(["title", "content"], "", reader, 9),
        [storage.memories.from_run(run, list(State), reader) for run in ("r_1", "r_m")],
        storage.memories.starting_with("m_", reader),
        [storage.memories.get(id, reader) for id in ("m_1", "m_m")],
        storage.recalls.newest(10, reader),
        [storage.recalls.get(id, reader) for id in ("l_1", "l_m")],
        storage.recalls.shown_in("r_1", reader),
        storage.bars.barred(reader),
        *told_of_catching(storage, reader),
    ]


def told_of_catching(storage: Storage, reader: Reader) -> list[object]:
    nearest = storage.memories.nearest(a_vector("zebra"), "m@64", list(State), reader, 10)
    return [
        [list(storage.memories.naming(raw, reader)) for raw in ("mira", "ann")],
        [(memory, round(likeness, 5)) for memory, likeness in nearest],
        [dict(storage.catches.read(run, reader)) for run in ("r_0", "r_1", "r_m")],
        dict(storage.catches.count(reader)),
        list(storage.catches.due(NOON + timedelta(days=1), 1, reader)),
        list(storage.entities.listed(reader)),
        list(storage.entities.answers(reader)),
        [storage.results.get(run, reader) for run in ("r_0", "r_1", "r_m")],
        [list(storage.results.of(memory, reader)) for memory in ("m_1", "m_2", "m_m")],
    ]


def fill_everything(storage: Storage, owner: str, letter: str) -> None:
    run = f"r_{letter}"
    fill(storage, owner, run, "zebra one", "lion two")
    give_vectors(storage)
    storage.touches.replace(run, owner, 0, [a_touch(run, "/home/a.py")])
    storage.runs.label(run, owner, f"called {letter}", ["tag"], pinned=True)
    storage.runs.put(a_run(f"{run}child", owner, parent=run))
    storage.prompts.replace(run, owner, 0, [("u1", 1, 1)])
    about, evidence = (Mention("person", "Mira"),), (Evidence(run, 1, 1, f"{run}#t1.1", "zebra one"),)
    storage.memories.put(a_memory(f"m_{letter}", owner, related_entities=about, evidence=evidence))
    give_memory_vectors(storage)
    storage.work.index_done(run, IndexMark(1, 10, 1, "rules"))
    storage.catches.record(run, owner, "model", ["t1.1-t2.1-aa"])
    storage.entities.put(Entity("person", f"mira-{letter}", "Mira"), owner)
    storage.entities.answer(NameAnswer("Mira", f"person:mira-{letter}"), owner)
    storage.results.put(Result(run, True, NOON, (f"m_{letter}",)), owner)
    storage.recalls.record(a_recall(f"l_{letter}", owner, 0, run, a_memory(f"m_{letter}", owner)))
    storage.bars.put(f"r_{letter}barred", owner, "tombstone")
