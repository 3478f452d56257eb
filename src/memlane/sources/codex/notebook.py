"""What a reading notes about the file as a whole while its Turns go by: models, tokens, title, what it did not know."""

from __future__ import annotations

from dataclasses import dataclass, field

from memlane.domain import Author, BrokenLine, Facts, Tokens
from memlane.sources.codex.origin import Origin
from memlane.sources.codex.words import folder_told
from memlane.sources.records import Record, mapping, number
from memlane.sources.source import Transcript

_MOST = 500  # names and broken lines kept; a hostile file has millions
_NO_TOKENS = Tokens()


@dataclass(slots=True)
class Notebook:
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
