"""What the first `session_meta` of a rollout says: who started it, from where, and out of which other Run.

Later ones are resumes or copies of a parent's and describe nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memlane.domain import Author, Relation
from memlane.sources.codex.envelopes import Envelope
from memlane.sources.records import Record, mapping, moment, number, text

_STAMP_OF_UUID7 = 12  # hexadecimal digits: milliseconds since 1970


@dataclass(frozen=True, slots=True)
class Origin:
    """A Run's beginnings."""

    thread: str = ""
    started: datetime | None = None
    cwd: str = ""
    branch: str = ""
    remote: str = ""
    version: str = ""
    author: Author = Author.PERSON  # of its prompts
    relation: Relation | None = None
    parent: str = ""
    agent_path: str = ""
    own_from: int = 0  # the first ordinal that is not copied from the parent


UNKNOWN_ORIGIN = Origin()


def origin_of(envelope: Envelope) -> Origin:
    meta = envelope.payload
    git = mapping(meta.get("git"))
    relation, parent = _descent(meta)
    return Origin(
        thread=text(meta.get("id")),
        started=moment(meta.get("timestamp")) or envelope.at,
        cwd=text(meta.get("cwd")),
        branch=text(git.get("branch")),
        remote=text(git.get("repository_url")),
        version=text(meta.get("cli_version")),
        author=_author(meta),
        relation=relation,
        parent=parent,
        agent_path=text(meta.get("agent_path")),
        own_from=number(meta.get("subagent_history_start_ordinal")),
    )


def _author(meta: Record) -> Author:
    """`codex exec` is a person's one-liner as often as a script's; an SDK in front of it gives another originator."""
    source, originator = text(meta.get("source")), text(meta.get("originator"))
    by_program = _has_no_human(meta) or source == "mcp" or (source == "exec" and originator not in ("", "codex_exec"))
    return Author.PROGRAM if by_program else Author.PERSON


def _has_no_human(meta: Record) -> bool:
    source = mapping(meta.get("source"))
    return "subagent" in source or "internal" in source or text(meta.get("thread_source")) not in ("", "user")


def _descent(meta: Record) -> tuple[Relation | None, str]:
    base = text(mapping(meta.get("history_base")).get("thread_id"))
    forked = text(meta.get("forked_from_id"))
    if "subagent" in mapping(meta.get("source")) or text(meta.get("thread_source")) == "subagent":
        return Relation.SUBAGENT, _spawner(meta) or forked
    if forked:
        return Relation.FORK, forked if base in ("", forked) else f"{forked}_{base}"
    thread = text(meta.get("id"))
    if base:  # a reverted thread goes on in a new file of the same thread
        return Relation.FORK, thread if base == thread else f"{thread}_{base}"
    return None, ""


def _spawner(meta: Record) -> str:
    spawn = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    named = text(spawn.get("parent_thread_id")) or text(meta.get("parent_thread_id"))
    session = text(meta.get("session_id"))  # of the whole tree: the root's thread id
    return named or (session if session != text(meta.get("id")) else "")


def is_older(one: str, other: str) -> bool:
    """Of two time-ordered ids (UUID version 7), whether the first was made before the second."""
    first, second = one.replace("-", ""), other.replace("-", "")
    both = first[_STAMP_OF_UUID7 : _STAMP_OF_UUID7 + 1] == second[_STAMP_OF_UUID7 : _STAMP_OF_UUID7 + 1] == "7"
    return both and first[:_STAMP_OF_UUID7] < second[:_STAMP_OF_UUID7]
