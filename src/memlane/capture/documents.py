"""Runs taken out of a database or an export: which of their lines are new. Knows lines, not what they say."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memlane.agents import Document, ImportSource, LineStream, Peek, Source
from memlane.domain import Machine, Project, Run, run_id
from memlane.domain.delta import Delta, Generation

WHEN_NOTHING_SAYS_WHEN = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ArchivedRun:
    """What the archive has of a Run, in whose records, and the bytes of the newest generation."""

    format: str
    generations: Sequence[Generation]
    pieces: Callable[[], Iterator[bytes]]
    settled: bool = True  # False: a kill came between its bytes and the metadata that count them

    @property
    def newest(self) -> Generation:
        return self.generations[-1]


def run_in(document: Document, machine: Machine, source: Source) -> Run:
    """Whose Run it is: the agent the file names, else the Source itself."""
    agent, native_id = document.agent or source.name, document.transcript.native_id
    return Run(run_id(machine, agent, native_id), machine.user, machine.name, agent, native_id)


def digest_of(document: Document) -> str:
    whole = hashlib.sha256()
    for line in document.lines:
        whole.update(line)
        whole.update(b"\n")
    return whole.hexdigest()


def delta_of(
    document: Document,
    run: Run,
    source: Source,
    source_path: str,
    kept: ArchivedRun | None,
    project_of: Callable[[Peek], Project],
) -> Delta | None:
    """The lines the archive does not have, or the whole document if it is one that is rewritten. None: nothing new."""
    lines, generation = _new_lines(document, source, kept)
    again = not lines and kept is not None and not kept.settled
    if not lines and not again:
        return None
    transcript, peek = document.transcript, document.peek
    return Delta(
        run=run,
        generation=generation,
        source_path=source_path,
        pieces=list(kept.pieces()) if kept is not None and again else [line + b"\n" for line in lines],
        started=peek.started or WHEN_NOTHING_SAYS_WHEN,
        cwd=peek.cwd,
        project=project_of(peek),
        parent_native_id=transcript.parent_native_id,
        relation=transcript.relation.value if transcript.relation else "",
        format=source.name,
        rewritten=transcript.rewritten,
        again=again,
    )


def _new_lines(document: Document, source: Source, kept: ArchivedRun | None) -> tuple[list[bytes], int]:
    """With the generation they belong to."""
    lines = list(document.lines)
    if kept is None:
        return lines, 1
    if isinstance(source, ImportSource) and _adds_nothing(document, source, kept):
        return [], kept.newest.n
    if document.transcript.rewritten:
        same = kept.newest.sha256 == digest_of(document)
        return ([], kept.newest.n) if same else (lines, kept.newest.n + 1)
    known = set(b"".join(kept.pieces()).split(b"\n"))
    return [line for line in lines if line not in known], kept.newest.n


def _adds_nothing(document: Document, source: Source, kept: ArchivedRun) -> bool:
    """What a person hands over may be old: a state that was here before, one from before the newest, or somebody's
    tale of a run whose own transcript is here."""
    if kept.format != source.name or digest_of(document) in {generation.sha256 for generation in kept.generations}:
        return True
    told = document.peek.updated
    here = source.peek(LineStream(kept.pieces())).updated if told else None
    return here is not None and told is not None and told < here
