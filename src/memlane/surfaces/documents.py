"""What programs get: each thing as the fields of the contract (docs/reference/schemas), from our types alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memlane.domain import (
    Address,
    Dream,
    EarlierTurn,
    Finding,
    Match,
    Memory,
    Recall,
    RunSummary,
    Step,
    TimedText,
    Turn,
)
from memlane.domain.token import SHIPPER
from memlane.surfaces.json_values import plain

if TYPE_CHECKING:
    from memlane.app.control import Group, Identity, JoinedMachine, KnownPerson
    from memlane.app.handover import CitedText, HandOver, Recap, RunDigest, Story, Wrapped
    from memlane.app.projects import JoinProposal, ProjectRow
    from memlane.app.search import FoundTurn

Document = dict[str, object]


def of_project(row: ProjectRow) -> Document:
    return {
        "key": row.project.key,
        "name": row.project.name,
        "names": list(dict.fromkeys(one.project.name for one in row.keys)),
        "paths": row.paths,
        "remotes": row.remotes,
        "runs": row.runs,
        "memories": row.memories,
        "keys": [
            {
                "key": one.project.key,
                "name": one.project.name,
                "runs": one.runs,
                "memories": one.memories,
                "by": one.by,
                "reasons": [{"kind": reason.kind, "text": reason.text} for reason in one.reasons],
            }
            for one in row.keys
        ],
    }


def of_proposal(one: JoinProposal) -> Document:
    return {
        "key": one.one.key,
        "name": one.one.name,
        "with": one.other.key,
        "with_name": one.other.name,
        "why": one.why,
    }


def of_hand_over(over: HandOver) -> Document:
    return {
        "title": over.title,
        "by": over.by,
        "runs": [of_digest(one) for one in over.runs],
        **{part: _cited(over.items(part)) for part in ("goal", "state", "decisions", "failures", "next")},
        "files": [
            {"path": file.path, "times": file.times, "step": file.link} for one in over.runs for file in one.files
        ],
    }


def of_digest(one: RunDigest) -> Document:
    run = one.run
    return {
        "run": run.id,
        "title": run.title,
        "summary": one.summary,
        "outcome": one.end.value,
        "agent": run.agent,
        "machine": run.machine,
        "project": run.project.name,
        "started": run.started,
        "ended": run.ended,
        "turns": run.turns,
    }


def of_story(story: Story) -> Document:
    return {
        "title": story.title,
        "runs": [run.id for run in story.runs],
        "repeated": story.repeated,
        "turns": [
            {
                "turn": one.link,
                "run": one.run.id,
                "agent_name": one.run.agent,
                "machine": one.run.machine,
                "at": one.at,
                "person": one.person,
                "agent": one.agent,
                "tool_calls": one.calls,
                "failed": one.failed,
                "changed": list(one.changed),
            }
            for one in story.turns
        ],
    }


def of_recap(recap: Recap) -> Document:
    return {
        "span": recap.span.name,
        "since": recap.span.since,
        "until": recap.span.until,
        "numbers": recap.numbers,
        "runs": [of_digest(one) for one in recap.runs],
        "files": [{"path": file.path, "times": file.times, "step": file.link} for file in recap.files],
        "memories": [{"id": memory.id, "title": memory.title} for memory in recap.memories],
        "next": _cited(recap.next),
    }


def of_wrapped(wrapped: Wrapped) -> Document:
    return {
        "span": wrapped.span.name,
        "since": wrapped.span.since,
        "until": wrapped.span.until,
        "numbers": wrapped.numbers,
        "highlights": [{"title": one.title, "text": one.text, "link": one.link} for one in wrapped.highlights],
        "agents": dict(wrapped.agents),
        "projects": dict(wrapped.projects),
        "months": dict(wrapped.months),
        "hours": list(wrapped.hours),
    }


def _cited(items: Sequence[CitedText]) -> list[Document]:
    return [{"text": item.text, "step": item.link, "at": item.at} for item in items]


def of_run(run: RunSummary) -> Document:
    return {
        "id": run.id,
        "owner": run.owner,
        "agent": run.agent,
        "machine": run.machine,
        "account": run.account,
        "project": run.project.name,
        "project_key": run.project.key,
        "cwd": run.cwd,
        "branch": run.branch,
        "title": run.title,
        "turns": run.turns,
        "person_turns": run.person_turns,
        "steps": run.steps,
        "tool_calls": run.tool_calls,
        "errors": run.errors,
        "started": run.started,
        "ended": run.ended,
        "first": _said(run.first),
        "last": _said(run.last),
        "parent": run.parent or None,
        "relation": run.relation or None,
        "session_id": run.native_id,
        "source_path": run.source_path,
        "generation": run.generation,
        "bytes": run.bytes,
        "files": run.files,
        "skills": run.skills,
        "commands": run.commands,
        "entities": run.entities,
        "kind": run.kind,
        "models": run.models,
        "tokens": run.tokens,
        "version": run.version,
        "headless": run.headless,
        "pinned": run.pinned,
        "tags": run.tags,
    }


def _said(said: TimedText) -> Document:
    return {"text": said.text, "at": said.at}


def of_turn(run: str, turn: Turn) -> Document:
    return {
        "n": turn.n,
        "address": str(Address(run, turn.n)),
        "at": turn.at,
        "author": turn.author,
        "person": turn.person,
        "agent": turn.agent,
        "steps": [_of_step(run, turn.n, step) for step in turn.steps],
    }


def _of_step(run: str, turn: int, step: Step) -> Document:
    document: Document = {
        "n": step.n,
        "address": str(Address(run, turn, step.n)),
        "author": step.author,
        "kind": step.kind,
        "at": step.at,
        "line": step.line,
        "ours": step.ours,
    }
    if step.call is None:
        return {**document, "text": step.text}
    call = step.call
    made = {"name": call.name, "input": call.input, "result": call.result, "error": call.error, "files": call.files}
    return {**document, "tool_call": made} | ({"text": step.text} if step.text else {})


def of_hit(hit: FoundTurn) -> Document:
    chunk = hit.chunk
    return {
        "run": chunk.run,
        "turn": chunk.turn,
        "step": chunk.step,
        "address": str(Address(chunk.run, chunk.turn, chunk.step)),
        "author": chunk.author,
        "at": chunk.at,
        "owner": hit.run.owner,
        "agent": hit.run.agent,
        "machine": hit.run.machine,
        "project": hit.run.project.name,
        "title": hit.run.title,
        "score": hit.score,
        "lexical": hit.lexical,
        "semantic": hit.semantic,
        "snippet": hit.snippet,
        "hits": [list(span) for span in hit.hits],
    }


def of_memory(memory: Memory) -> Document:
    """The memory of SPEC 5, every field."""
    found = plain(memory)
    assert isinstance(found, dict)
    return found  # type: ignore[return-value] - plain() of a dataclass


def of_embedded(memory: Memory, embedded: tuple[str, datetime] | None) -> Document:
    """The same, with what is known of its vector."""
    model, at = embedded or (None, None)
    return {**of_memory(memory), "embedding_model": model, "embedded_at": at}


def of_match(match: Match) -> Document:
    memory = match.memory
    return {
        "id": memory.id,
        "owner": memory.owner,
        "type": memory.type,
        "title": memory.title,
        "content": memory.content,
        "similarity": match.similarity,
        "needed": match.needed,
        "score": match.score,
        "parts": match.parts,
        "source": match.source,
        "because": match.because,
        "note": match.note,
        "cue": {"text": cue, "similarity": match.cue.likeness} if match.cue and (cue := match.best_cue) else None,
    }


def of_recall(recall: Recall) -> Document:
    query = recall.query
    return {
        "id": recall.id,
        "at": recall.at,
        "moment": query.moment,
        "query": query.words,
        "agent": query.agent,
        "run": query.run or None,
        "cwd": query.cwd,
        "project": query.project.name,
        "outcome": recall.outcome,
        "why": recall.why,
        "shown": [of_match(match) for match in recall.shown],
        "near": [of_match(match) for match in recall.near],
        "tokens": recall.tokens,
        "ms": recall.milliseconds,
        "holdout": recall.holdout,
        "floor": float(recall.extra["floor"]) if "floor" in recall.extra else None,
        "second_look": recall.extra.get("second_look"),
        "second_look_skipped": recall.extra.get("second_look_skipped"),
        "asks": [{"raw": one.raw, "choices": one.choices} for one in recall.asks],
        "earlier": [of_earlier(one) for one in recall.earlier],
    }


def of_earlier(one: EarlierTurn) -> Document:
    """A turn of an earlier run that was pointed at."""
    return {
        "run": one.run,
        "turn": one.turn,
        "address": str(Address(one.run, one.turn)),
        "agent": one.agent,
        "machine": one.machine,
        "at": one.at,
        "source": "earlier run",
        "covered": one.covered,
        "likeness": one.likeness,
    }


def of_dream(dream: Dream) -> Document:
    """The report, every field; ids name memories."""
    found = plain(dream)
    assert isinstance(found, dict)
    return found  # type: ignore[return-value] - plain() of a dataclass


def of_finding(finding: Finding) -> Mapping[str, object]:
    return {"kind": finding.kind, "level": finding.level, "what": finding.what, "hint": finding.hint}


def of_machine(one: JoinedMachine, seen: Mapping[str, object] | None = None) -> Document:
    """Without the hash of its token."""
    return {
        "id": one.id,
        "owner": one.owner,
        "name": one.name,
        "title": one.title,
        "kind": "ship only" if one.kind == SHIPPER else "machine",
        "thin": one.thin,
        "joined": one.joined,
        "revoked": one.revoked or None,
        "last_seen": (seen or {}).get("at"),
        "behind": {"runs": (seen or {}).get("runs"), "bytes": (seen or {}).get("bytes")},
    }


def of_person(one: KnownPerson, *, whole: bool) -> Document:
    """`whole`: for an admin, or for the person; others see the name and what it is for."""
    shown: Document = {"name": one.name, "role": one.role, "state": one.state}
    return {**shown, "since": one.since, "limits": {"machines": one.machines or None}} if whole else shown


def of_identity(one: Identity) -> Document:
    """Who somebody is elsewhere."""
    return {
        "person": one.owner,
        "issuer": one.issuer,
        "subject": one.subject,
        "shown": one.shown,
        "linked": one.linked,
        "ended": one.ended or None,
    }


def of_group(one: Group) -> Document:
    return {"name": one.name, "people": list(one.people)}
