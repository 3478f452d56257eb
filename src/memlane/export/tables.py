"""Runs, memories and recalls as rows of tables, for Parquet: one name and type for each column."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memlane.domain import Address, Feedback, Memory, Recall, RunSummary, Step, Turn

TEXT, NUMBER, SHARE, TIME, FLAG, TEXTS = "text", "number", "share", "time", "flag", "texts"
Row = dict[str, object]
TableRows = Mapping[str, Sequence[Row]]

TABLES: Mapping[str, Mapping[str, str]] = {
    "runs": {
        "run": TEXT, "agent": TEXT, "machine": TEXT, "account": TEXT, "project": TEXT, "project_key": TEXT, "cwd": TEXT,
        "branch": TEXT, "title": TEXT, "started": TIME, "ended": TIME, "turns": NUMBER, "person_turns": NUMBER,
        "steps": NUMBER, "tool_calls": NUMBER, "errors": NUMBER, "bytes": NUMBER, "parent": TEXT, "relation": TEXT,
        "session_id": TEXT, "kind": TEXT, "models": TEXTS, "tokens_in": NUMBER, "tokens_out": NUMBER,
        "tokens_cached": NUMBER, "skills": TEXTS, "commands": TEXTS, "entities": TEXTS, "tags": TEXTS, "pinned": FLAG,
    },
    "turns": {"run": TEXT, "turn": NUMBER, "at": TIME, "author": TEXT, "person": TEXT, "agent": TEXT, "steps": NUMBER},
    "steps": {
        "run": TEXT, "turn": NUMBER, "step": NUMBER, "address": TEXT, "at": TIME, "author": TEXT, "kind": TEXT,
        "text": TEXT, "model": TEXT, "ours": FLAG,
    },
    "tool_calls": {
        "run": TEXT, "turn": NUMBER, "step": NUMBER, "name": TEXT, "input": TEXT, "result": TEXT, "error": FLAG,
        "files": TEXTS, "changes": FLAG,
    },
    "files": {"run": TEXT, "turn": NUMBER, "step": NUMBER, "path": TEXT, "changed": FLAG, "tool": TEXT, "at": TIME},
    "memories": {
        "memory": TEXT, "type": TEXT, "category": TEXT, "title": TEXT, "content": TEXT, "state": TEXT, "maturity": TEXT,
        "scope": TEXT, "project": TEXT, "confidence": NUMBER, "trust": TEXT, "maker": TEXT, "times_observed": NUMBER,
        "recall_count": NUMBER, "formed_at": TIME, "saved_at": TIME, "last_observed_at": TIME, "when": TEXT,
        "always": FLAG, "cues": TEXTS, "entities": TEXTS, "evidence": TEXTS, "superseded_by": TEXT,
    },
    "recalls": {
        "recall": TEXT, "at": TIME, "run": TEXT, "agent": TEXT, "project": TEXT, "moment": TEXT, "query": TEXT,
        "outcome": TEXT, "why": TEXT, "rank": NUMBER, "memory": TEXT, "score": SHARE, "similarity": SHARE,
        "useful": SHARE, "verdict": TEXT, "milliseconds": SHARE, "holdout": FLAG,
    },
}  # fmt: skip


@dataclass(slots=True)
class RunRows:
    """The rows of one Run, table by table."""

    tables: dict[str, list[Row]] = field(default_factory=dict[str, list[Row]])

    def add(self, table: str, row: Row) -> None:
        self.tables.setdefault(table, []).append(row)


def run_rows(run: RunSummary, turns: Iterable[Turn]) -> RunRows:
    rows = RunRows()
    rows.add("runs", _run(run))
    for turn in turns:
        person, agent = turn.person, turn.agent
        at = {"run": run.id, "turn": turn.n, "at": turn.at}
        rows.add("turns", {**at, "author": turn.author, "person": person, "agent": agent, "steps": len(turn.steps)})
        for step in turn.steps:
            _add_step(rows, run.id, turn, step)
    return rows


def _add_step(rows: RunRows, run: str, turn: Turn, step: Step) -> None:
    place: Row = {"run": run, "turn": turn.n, "step": step.n}
    at = step.at or turn.at
    said = {"author": step.author, "kind": step.kind, "text": step.text, "model": step.model, "ours": step.ours}
    rows.add("steps", {**place, "address": str(Address(run, turn.n, step.n)), "at": at, **said})
    if step.call is None:
        return
    call = step.call
    given = json.dumps(dict(call.input), ensure_ascii=False)
    made = {"name": call.name, "input": given, "result": call.result, "error": call.error, "files": list(call.files)}
    rows.add("tool_calls", {**place, **made, "changes": call.changes})
    for path in call.files:
        rows.add("files", {**place, "path": path, "changed": call.changes, "tool": call.name, "at": at})


def _run(run: RunSummary) -> Row:
    same = ("agent", "machine", "account", "cwd", "branch", "title", "started", "ended", "turns", "person_turns")
    more = ("steps", "tool_calls", "errors", "bytes", "parent", "relation", "kind", "pinned")
    lists = ("models", "skills", "commands", "entities", "tags")
    return {
        "run": run.id,
        "session_id": run.native_id,
        "project": run.project.name,
        "project_key": run.project.key,
        "tokens_in": run.tokens.input,
        "tokens_out": run.tokens.output,
        "tokens_cached": run.tokens.cached,
        **{name: getattr(run, name) for name in (*same, *more)},
        **{name: list(getattr(run, name)) for name in lists},
    }


def memory_rows(memories: Iterable[Memory]) -> Iterator[Row]:
    same = ("type", "category", "title", "content", "state", "maturity", "scope", "project", "confidence", "trust")
    more = ("maker", "times_observed", "recall_count", "formed_at", "saved_at", "last_observed_at", "when", "always")
    for memory in memories:
        yield {
            "memory": memory.id,
            "superseded_by": memory.superseded_by,
            "cues": list(memory.cues),
            "entities": [mention.slug or mention.raw for mention in memory.related_entities],
            "evidence": [one.step for one in memory.evidence],
            **{name: getattr(memory, name) for name in (*same, *more)},
        }


def recall_rows(recalls: Iterable[Recall], verdicts: Iterable[Feedback]) -> Iterator[Row]:
    """One row for each Memory that was shown, one without a Memory for each silence."""
    said = {(one.recall, one.memory): "up" if one.up else "down" for one in verdicts}
    for recall in recalls:
        query = recall.query
        about: Row = {
            "recall": recall.id,
            "at": recall.at,
            "run": query.run,
            "agent": query.agent,
            "project": query.project.name,
            "moment": query.moment,
            "query": query.words,
            "outcome": recall.outcome,
            "why": recall.why,
            "milliseconds": recall.milliseconds,
            "holdout": recall.holdout,
        }
        for rank, match in enumerate(recall.shown, 1):
            memory = match.memory.id
            scores = {"score": match.score, "similarity": match.similarity, "useful": match.needed}
            yield {**about, "rank": rank, "memory": memory, **scores, "verdict": said.get((recall.id, memory), "")}
        if not recall.shown:
            yield about
