"""What a rollout says about itself: its header (who started it, where, from which Run), models, tokens, title."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memlane.agents.agent import Transcript
from memlane.agents.codex.envelopes import Envelope
from memlane.agents.codex.words import folder_told
from memlane.agents.records import Record, mapping, moment, number, text
from memlane.domain import Author, BrokenLine, Facts, Relation, Tokens

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


_MOST = 500  # names and broken lines kept; a hostile file has millions
_NO_TOKENS = Tokens()


@dataclass(slots=True)
class CodexFacts:
    """Bounded, whatever the file holds."""

    title: str = ""
    _cwd: str = ""
    _models: dict[str, None] = field(default_factory=dict[str, None])
    _skills: dict[str, None] = field(default_factory=dict[str, None])
    _commands: dict[str, None] = field(default_factory=dict[str, None])
    _unknown: dict[str, int] = field(default_factory=dict[str, int])
    _broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    _base: Tokens | None = None
    _tokens: Tokens = _NO_TOKENS

    def model(self, name: str) -> None:
        _keep(self._models, name)

    def skill(self, name: str) -> None:
        _keep(self._skills, name)

    def command(self, name: str) -> None:
        _keep(self._commands, name)

    def surroundings(self, words: str) -> None:
        self._cwd = self._cwd or folder_told(words)

    def unknown(self, kind: str) -> None:
        name = kind[:80]
        if name in self._unknown or len(self._unknown) < _MOST:
            self._unknown[name] = self._unknown.get(name, 0) + 1

    def broken(self, line: BrokenLine) -> None:
        if len(self._broken) < _MOST:
            self._broken.append(line)

    def count(self, info: Record, *, grown_from_parent: bool) -> None:
        """A running total. A fork's goes on from its parent's, which is counted there."""
        total, last = _tokens(info.get("total_token_usage")), _tokens(info.get("last_token_usage"))
        if self._base is None:
            self._base = _less(total, last) if grown_from_parent else _NO_TOKENS
        if total != _NO_TOKENS:
            self._tokens = total

    def facts(self, origin: Origin, transcript: Transcript) -> Facts:
        return Facts(
            title=self.title,
            cwd=origin.cwd or self._cwd,
            branch=origin.branch,
            remote=origin.remote,
            version=origin.version,
            models=tuple(self._models),
            tokens=_less(self._tokens, self._base or _NO_TOKENS),
            parent_native_id=origin.parent or transcript.parent_native_id,
            relation=origin.relation or transcript.relation,
            skills=tuple(self._skills),
            commands=tuple(self._commands),
            headless=origin.author is Author.PROGRAM,
            unknown=dict(self._unknown),
            broken=tuple(self._broken),
        )


def _keep(names: dict[str, None], name: str) -> None:
    if name and len(names) < _MOST:
        names[name] = None


def _tokens(usage: object) -> Tokens:
    told = mapping(usage)
    read, wrote = number(told.get("input_tokens")), number(told.get("output_tokens"))
    return Tokens(input=read, output=wrote, cached=number(told.get("cached_input_tokens")))


def _less(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(max(0, one.input - other.input), max(0, one.output - other.output), max(0, one.cached - other.cached))
