"""Journals as they may be: any order, any kind, two owners, lines about what is not there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import msgspec
from hypothesis import strategies as st

from memlane.domain import Entity, Entry, Evidence, Mention, NameAnswer, State
from memlane.domain import journal as kinds
from memlane.storage import memory_data, recall_data
from tests.conformance.rows import NOON, a_memory, a_recall

OWNERS = ("noor", "mira")
Line = tuple[str, str, Mapping[str, object]]  # kind, id, data

minutes = st.integers(0, 9)
memories = st.sampled_from(["m_1", "m_2"])
runs = st.sampled_from(["r_0", "r_1", "r_m"])
names = st.sampled_from(["Mira", "mira", "MIRA", "Ann"])
projects = st.sampled_from(["", "host/acme/shop"])
slugs = st.sampled_from(["", "person:mira-a", "person:mira-b", "project:mira"])


def entries(owners: tuple[str, ...] = OWNERS) -> st.SearchStrategy[Entry]:
    return st.sampled_from(owners).flatmap(_lines_of)


def _lines_of(owner: str) -> st.SearchStrategy[Entry]:
    lines = st.one_of(_memory(owner), _state(owner), _observation(owner), _recall(owner), _caught(), _known(), _run())
    return st.builds(
        lambda line, minute: Entry(
            line[0], line[1], NOON + timedelta(minutes=minute), owner, "laptop", "person", line[2]
        ),
        lines,
        minutes,
    )


def _of(owner: str, memory: str) -> str:
    """No two owners have a Memory of one id: it is made from the owner."""
    return memory if owner == "noor" else f"{memory}_{owner}"


def _memory(owner: str) -> st.SearchStrategy[Line]:
    def line(id: str, minute: int, said: str, mentioned: list[str], project: str) -> Line:
        mentions = tuple(Mention("person", raw) for raw in mentioned)
        more = {"related_entities": mentions, "project_key": project, "content": said}
        return kinds.MEMORY, id, memory_data(a_memory(_of(owner, id), owner, minute, **more))

    said = st.sampled_from(["zebra", "lion"])
    return st.builds(line, memories, minutes, said, st.lists(names, max_size=2), projects)


def _state(owner: str) -> st.SearchStrategy[Line]:
    whose = st.sampled_from(OWNERS)  # another's too: nothing comes of it
    return st.builds(
        lambda id, who, state: (kinds.STATE, id, {"memory": _of(who, id), "state": state.value}),
        memories,
        whose | st.just(owner),
        st.sampled_from(State),
    )


def _observation(owner: str) -> st.SearchStrategy[Line]:
    def line(id: str, run: str, quote: str, generation: int, minute: int, confidence: int) -> Line:
        evidence = Evidence(run, generation, minute, f"{run}#t1.1", quote)
        at = (NOON + timedelta(minutes=minute - 5)).isoformat()
        data = {"memory": _of(owner, id), "evidence": msgspec.to_builtins(evidence), "formed_at": at}
        return kinds.OBSERVATION, id, {**data, "confidence": confidence, "maker": "embedded@1"}

    quotes = st.sampled_from(["never on fridays", "use tabs", ""])
    return st.builds(line, memories, runs, quotes, st.integers(1, 2), minutes, st.integers(40, 99))


def _recall(owner: str) -> st.SearchStrategy[Line]:
    def line(n: int, id: str) -> Line:
        recall = a_recall(f"l_{n}{owner}", owner, n, f"r_{n % 2}", a_memory(_of(owner, id), owner))
        return kinds.RECALL, recall.id, recall_data(recall)

    return st.builds(line, minutes, memories)


def _caught() -> st.SearchStrategy[Line]:
    windows = st.lists(st.sampled_from(["t1.1-t2.1-aa", "t1.1-t2.1-bb", "t3.1-t5.9-cc"]), max_size=3)
    extractors = st.sampled_from(["embedded@1", "embedded@2", "model@1", "agent"])
    return st.builds(
        lambda run, keys, extractor: (
            kinds.CAUGHT,
            run,
            {"run": run, "generation": 1, "extractor": extractor, "windows": [{"key": key} for key in keys]},
        ),
        runs,
        windows,
        extractors,
    )


def _known() -> st.SearchStrategy[Line]:
    entity = st.builds(
        lambda slug, name, gone: Entity("person", slug, name, (name.upper(),), removed=gone),
        st.sampled_from(["mira-a", "mira-b"]),
        names,
        st.booleans(),
    ).map(lambda one: (kinds.ENTITY, one.key, {"entity": msgspec.to_builtins(one)}))
    answer = st.builds(NameAnswer, names, slugs, projects, st.booleans()).map(
        lambda one: (kinds.ENTITY, one.entity, {"mention": msgspec.to_builtins(one)})
    )
    return entity | answer


def _run() -> st.SearchStrategy[Line]:
    bar = st.builds(
        lambda kind, run, restored: (kind, run, {"run": run, "restored": restored}),
        st.sampled_from([kinds.TOMBSTONE, kinds.LEFT_OUT]),
        runs,
        st.booleans(),
    )
    outcome = st.builds(
        lambda run, how, ids: (kinds.OUTCOME, run, {"run": run, "outcome": how, "memories": ids}),
        runs,
        st.sampled_from(["success", "failure"]),
        st.lists(memories, max_size=3),
    )
    unknown = st.sampled_from([("share", "x_1", {"with": "mira"}), ("refusal", "r_1", {"by": "gate"})])
    return bar | outcome | unknown
