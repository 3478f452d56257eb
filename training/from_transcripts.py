"""`python -m training.from_transcripts TRACES MOMENTS SPLITS OUT`: texts that belong together, from transcripts.

A prompt and what its turn said or did, a run's title and its first prompt, an answer and the prompt that follows it,
a note and what the person had said. TRACES is laid out as agent/owner+repository/…, MOMENTS are labelled lines;
repositories of validation are left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from memlane.agents import SOURCES, Collection, LineStream, Source, Transcript, UnreadPart
from memlane.domain import Author, Chunk, Facts, Kind, Turn
from memlane.index.chunk import chunks_of
from training.memories import note
from training.pairs import Pair
from training.split import Side, Split

SHORTEST = 12  # characters of a text that says something on its own
LONGEST = 1600
CALLS = 3  # of a turn: the first ones look where the prompt points
FOLDERS = {"chatgpt-export": "chatgpt", "claude-ai-export": "claude-ai", "copilot-cli": "copilot"}


def pairs(traces: Path, moments: Path, split: Split) -> Iterator[Pair]:
    """Each pair once, however often a snapshot or a fork repeats it."""
    known: set[tuple[str, str]] = set()
    for pair in chain(_of_traces(traces, split), _of_moments(moments, split)):
        if (pair.a, pair.b) not in known:
            known.add((pair.a, pair.b))
            yield pair


def _of_moments(path: Path, split: Split) -> Iterator[Pair]:
    with path.open() as lines:
        for line in lines:
            moment = json.loads(line)
            if split.side(moment["repo"]) is not Side.VALIDATION:
                yield from _of_moment(moment)


def _of_moment(moment: Mapping[str, Any]) -> Iterator[Pair]:
    project, key, prompt = moment["repo"], f"{moment['run']}/{moment['line']}", _clean(moment["person"])
    yield from _pair("follow-up", project, key, prompt, _clean(moment["before_agent"][-LONGEST:]))
    yield from _pair("answer", project, key, prompt, _clean(moment["next"]))
    yield from _pair("call", project, key, prompt, _clean("\n".join(moment["next_tools"][:CALLS])))
    for memory in moment["memories"]:
        yield from _pair("note", project, key, prompt, _clean(note(memory["title"], memory["content"])))


def _of_traces(root: Path, split: Split) -> Iterator[Pair]:
    for path in sorted(p for p in root.glob("*/*/**/*") if p.is_file()):
        agent, folder, *_rest = path.relative_to(root).parts
        project = folder.replace("+", "/", 1)
        source = _sources().get(FOLDERS.get(agent, agent))
        if source is None or split.side(project) is Side.VALIDATION:
            continue
        for n, (turns, facts) in enumerate(_runs(source, path)):
            yield from _of_run(f"{path.name}#{n}", project, turns, facts)


def _sources() -> dict[str, Source]:
    return {source.name: source for source in SOURCES}


def _runs(source: Source, path: Path) -> Iterator[tuple[list[Turn], Facts]]:
    if isinstance(source, Collection) and path.suffix != ".jsonl":
        documents = [d for d in source.documents(path) if not isinstance(d, UnreadPart)]
        contents = [(d.transcript, b"\n".join(d.lines)) for d in documents]
    else:
        contents = [(Transcript(path.stem), path.read_bytes())]
    for transcript, data in contents:
        reading = source.read(LineStream(iter([data])), transcript)
        yield list(reading.turns()), reading.facts()


def _of_run(run: str, project: str, turns: list[Turn], facts: Facts) -> Iterator[Pair]:
    said_before = ""
    title = facts.title
    for turn in turns:
        key = f"{run}/{turn.n}"
        prompt = _clean(turn.person)
        if prompt:
            if title:
                yield from _pair("title", project, key, _clean(title), prompt)
                title = ""
            yield from _pair("follow-up", project, key, prompt, said_before)
            yield from _pair("answer", project, key, prompt, _clean(turn.agent))
            for chunk in _calls(turn):
                yield from _pair("call", project, key, prompt, _clean(chunk.text))
        said_before = _clean(turn.agent[-LONGEST:])


def _calls(turn: Turn) -> list[Chunk]:
    told = {step.n for step in turn.steps if step.kind is Kind.TOOL_CALL and not step.ours}
    first = [c for c in chunks_of("", turn) if c.author == Author.TOOL.value and c.step in told and c.part == 0]
    return first[:CALLS]


def _pair(kind: str, project: str, key: str, a: str, b: str) -> Iterator[Pair]:
    if len(a) >= SHORTEST and len(b) >= SHORTEST and a != b:
        yield Pair(kind, project, key, a, b)


def _clean(text: str) -> str:
    return text.strip()[:LONGEST]


def main() -> None:
    traces, moments, splits, out = (Path(argument) for argument in sys.argv[1:5])
    with out.open("w") as file:
        for pair in pairs(traces, moments, Split.load(splits)):
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
