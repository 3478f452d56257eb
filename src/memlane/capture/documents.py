"""Runs taken out of a database or an export: which of their lines are new. Knows lines, not what they say."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from memlane.domain import Machine, Project, Run, run_id
from memlane.domain.delta import Delta, Generation
from memlane.sources import Document, Peek, Source

WHEN_NOTHING_SAYS_WHEN = datetime(1970, 1, 1, tzinfo=UTC)


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
    source_path: str,
    held: tuple[Generation, Iterable[bytes]] | None,
    project_of: Callable[[Peek], Project],
) -> Delta | None:
    """The lines the archive does not have, or the whole document if it is one that is rewritten. None: nothing new."""
    lines, generation = list(document.lines), 1
    if held is not None:
        newest, pieces = held
        if document.transcript.rewritten:
            if newest.sha256 == digest_of(document):
                return None
            generation = newest.n + 1
        else:
            known = set(b"".join(pieces).split(b"\n"))
            lines, generation = [line for line in lines if line not in known], newest.n
    if not lines:
        return None
    transcript, peek = document.transcript, document.peek
    return Delta(
        run=run,
        generation=generation,
        source_path=source_path,
        pieces=[line + b"\n" for line in lines],
        started=peek.started or WHEN_NOTHING_SAYS_WHEN,
        cwd=peek.cwd,
        project=project_of(peek),
        parent_native_id=transcript.parent_native_id,
        relation=transcript.relation.value if transcript.relation else "",
        rewritten=transcript.rewritten,
    )
