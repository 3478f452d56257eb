"""Exports for a test: conversations written for it, as the files and zips their services hand out."""

from __future__ import annotations

import copy
import json
import random
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from memlane.agents import Document, ImportSource, Line, LineStream, Source, Transcript, UnreadPart
from memlane.domain import Facts, Step, Turn

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3),
    max_leaves=6,
)


def fixture(name: str) -> Any:
    return json.loads((FIXTURES / name).read_bytes())


def fixture_lines(name: str) -> list[bytes]:
    return (FIXTURES / name).read_bytes().splitlines()


def read(source: Source, data: bytes | Any) -> tuple[list[Turn], Facts]:
    """What a Source reads out of a conversation: its bytes, or the object it is."""
    given = data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n"
    reading = source.read(LineStream(iter([given])), Transcript("any"))
    turns = list(reading.turns())
    return turns, reading.facts()


def typed(turns: Iterable[Turn]) -> list[str]:
    return [turn.person for turn in turns if turn.n]


def steps(turns: Iterable[Turn]) -> list[Step]:
    return [step for turn in turns for step in turn.steps]


def export(path: Path, *conversations: Any, indent: int | None = None) -> Path:
    path.write_text(json.dumps(conversations, indent=indent, ensure_ascii=False))
    return path


def zipped(path: Path, **files: bytes | Any) -> Path:
    """`zipped(path, conversations=[…], user={…})`: each as NAME.json."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.json", content if isinstance(content, bytes) else json.dumps(content))
    return path


def taken(source: ImportSource, path: Path) -> tuple[list[Document], list[UnreadPart]]:
    found = list(source.documents(path))
    return [f for f in found if isinstance(f, Document)], [f for f in found if isinstance(f, UnreadPart)]


def bytes_of(document: Document) -> bytes:
    return b"\n".join(document.lines)


def lines_of(data: bytes) -> list[Line]:
    return [Line(n, line) for n, line in enumerate(data.split(b"\n"), 1)]


def changed(value: Any, junk: Any, choose: random.Random) -> Any:
    """The same value with one part, somewhere, replaced, doubled or removed."""
    value = copy.deepcopy(value)
    place = value
    while True:
        keys: Sequence[Any] = sorted(place) if isinstance(place, dict) else range(len(place))
        if not keys:
            return junk
        key = choose.choice(keys)
        if not isinstance(place[key], dict | list) or not place[key] or choose.random() < 0.2:
            break
        place = place[key]
    if choose.random() < 0.2:
        del place[key]
    else:
        place[key] = junk
    return value


def assert_in_order(turns: Sequence[Turn], facts: Facts) -> None:
    first = turns[0].n if turns else 0
    assert first in (0, 1)
    assert [turn.n for turn in turns] == list(range(first, first + len(turns)))
    for turn in turns:
        assert turn.steps
        assert [step.n for step in turn.steps] == list(range(1, len(turn.steps) + 1))
    json.dumps([step.call and [step.call.result, dict(step.call.input)] for step in steps(turns)]).encode()
    "".join(step.text + step.native_id + step.model for step in steps(turns)).encode()
    "".join((facts.title, facts.cwd, facts.account, *facts.models, *facts.unknown)).encode()
