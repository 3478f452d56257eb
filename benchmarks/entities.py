"""Who is meant? `python -m benchmarks.entities --entities F --marks F [--home HOME] [--json] [--save F]`.

Sentences with the names a reader marked in them, against a directory of entities: how often the one we name is the one
meant, how many we miss, and whether anything that could be several was guessed. ENTITIES are lines of {type, slug,
name, aliases, origin}; MARKS lines of {run, line, text, meant: {words: [slug, …]}, in_message}, where several slugs
mean that nobody could say which, and `in_message` is what is meant where the whole message says more. HOME, if given,
is where the runs' files lie, in any folder of it: then each sentence is also looked at where it stands, in its whole
message, as a prompt or a memory would be.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from campaigns.report import machine
from memlane.domain import Ambiguous, Entity, Known
from memlane.entities import Directory, mentions

MEANT = ("meant", "in_message")
COMMAND = "python -m benchmarks.entities --entities ENTITIES --marks MARKS --home HOME"


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence, where it stands, and who a reader says is meant."""

    run: str
    line: int
    text: str
    meant: Mapping[str, frozenset[str]]
    in_message: Mapping[str, frozenset[str]] | None = None

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=Path, required=True)
    parser.add_argument("--marks", type=Path, required=True)
    parser.add_argument("--home", type=Path, help="where the runs lie: their files, in any folder of it")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    directory = Directory(entities(asked.entities))
    marks = [marked(line) for line in lines(asked.marks)]
    found = {"alone": figures([(mark, mark.text) for mark in marks], directory)}
    if asked.home:
        there = [replace(mark, meant=mark.meant if mark.in_message is None else mark.in_message) for mark in marks]
        messages = [(mark, text) for mark in there if (text := message_of(mark, asked.home))]
        found["in_message"] = figures(messages, directory)
    kept = {"command": COMMAND, "benchmark": "entities", "machine": machine(), **found}
    kept["sentences"] = [f"{Path(mark.run).name}:{mark.line}:{mark.digest}" for mark in marks]
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        for name, value in found.items():
            print(name, *(f"  {what:<20} {figure}" for what, figure in value.items()), sep="\n")
    print(json.dumps(kept))


def marked(line: Mapping[str, Any]) -> Marked:
    sets = {name: line.get(name) and {w: frozenset(slugs) for w, slugs in line[name].items()} for name in MEANT}
    return Marked(line["run"], line["line"], line["text"], sets["meant"] or {}, sets["in_message"])


def lines(path: Path) -> Iterable[Any]:
    return map(json.loads, path.read_text().splitlines())


def entities(path: Path) -> list[Entity]:
    return [Entity(**{**line, "aliases": tuple(line["aliases"])}) for line in lines(path)]


def message_of(mark: Marked, home: Path) -> str:
    """The text the sentence stands in; "" where the run is not there."""
    for path in home.rglob(Path(mark.run).name):
        whole = path.read_text(errors="replace")
        records = [whole.split("\n")[mark.line - 1]] if path.suffix == ".jsonl" else [whole]
        for text in (text for record in records for text in strings(json.loads(record))):
            if mark.text in text:
                return text
    return ""


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def figures(marks: Sequence[tuple[Marked, str]], directory: Directory) -> dict[str, object]:
    right = wrong = missed = guessed = asked = questions = 0
    began = time.process_time()
    for mark, message in marks:
        found = answered(mark, message, directory)
        for words, slugs in found.items():
            meant = mark.meant.get(words, frozenset[str]())
            if len(slugs) == 1:
                right += meant == slugs
                wrong += meant != slugs
                guessed += len(meant) > 1
            else:
                questions += meant != slugs
        missed += sum(len(meant) == 1 and found.get(words) != meant for words, meant in mark.meant.items())
        asked += sum(len(meant) > 1 and found.get(words) == meant for words, meant in mark.meant.items())
    return {
        "sentences": len(marks),
        "entities": len(directory.entities),
        "meant": right + missed,
        "ambiguous": sum(len(meant) > 1 for mark, _message in marks for meant in mark.meant.values()),
        "precision": round(right / max(1, right + wrong), 4),
        "recall": round(right / max(1, right + missed), 4),
        "wrong": wrong,
        "guessed": guessed,
        "ambiguous_found": asked,
        "needless_questions": questions,
        "milliseconds": round(1000 * (time.process_time() - began) / max(1, len(marks)), 3),
    }


def answered(mark: Marked, message: str, directory: Directory) -> dict[str, frozenset[str]]:
    """Who is said to be meant in the sentence, by somebody who reads all of the message."""
    found: dict[str, frozenset[str]] = {}
    start = message.index(mark.text)
    for named in mentions(message, directory):
        if not start <= named.start < start + len(mark.text):
            continue
        match named.resolution:
            case Known(entity):
                found[named.raw] = frozenset({entity.slug})
            case Ambiguous(several):
                found[named.raw] = frozenset(entity.slug for entity in several)
    return found


if __name__ == "__main__":
    main()
