"""What a reading notes about a file as a whole while its Turns go by. Bounded, whatever the file holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from memlane.domain import BrokenLine, Facts, Relation, Tokens
from memlane.sources.records import number

MOST = 500  # names and broken lines kept; a hostile file has millions
MOST_TOKENS = 1 << 40  # of one message; anything more is not a count
MOST_DOLLARS = 1e6
LONGEST_NAME = 200


@dataclass(slots=True)
class Notes:
    """Fills up during one pass."""

    title: str = ""
    cwd: str = ""
    branch: str = ""
    remote: str = ""
    version: str = ""
    parent: str = ""
    relation: Relation | None = None
    headless: bool = False
    tokens: Tokens = field(default_factory=Tokens)
    cost: float = 0.0
    _models: dict[str, None] = field(default_factory=dict[str, None])
    _skills: dict[str, None] = field(default_factory=dict[str, None])
    _commands: dict[str, None] = field(default_factory=dict[str, None])
    _unknown: dict[str, int] = field(default_factory=dict[str, int])
    _broken: list[BrokenLine] = field(default_factory=list[BrokenLine])

    def model(self, name: str) -> None:
        _keep(self._models, name)

    def skill(self, name: str) -> None:
        _keep(self._skills, name)

    def command(self, name: str) -> None:
        _keep(self._commands, name)

    def unknown(self, kind: str) -> None:
        name = kind[:LONGEST_NAME]
        if name in self._unknown or len(self._unknown) < MOST:
            self._unknown[name] = self._unknown.get(name, 0) + 1

    def broken(self, line: int, reason: str) -> None:
        if len(self._broken) < MOST:
            self._broken.append(BrokenLine(line, reason))

    def spend(self, tokens: Tokens, cost: object = 0.0) -> None:
        self.tokens = together(self.tokens, tokens)
        if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < MOST_DOLLARS:
            self.cost += float(cost)

    def facts(self) -> Facts:
        return Facts(
            title=self.title,
            cwd=self.cwd,
            branch=self.branch,
            remote=self.remote,
            version=self.version,
            models=tuple(self._models),
            tokens=self.tokens,
            cost=self.cost,
            parent_native_id=self.parent,
            relation=self.relation,
            skills=tuple(self._skills),
            commands=tuple(self._commands),
            headless=self.headless,
            unknown=dict(self._unknown),
            broken=tuple(self._broken),
        )


def _keep(names: dict[str, None], name: str) -> None:
    if name and len(names) < MOST:
        names[name[:LONGEST_NAME]] = None


def count(value: object) -> int:
    """A number of tokens; hostile ones are cut to size."""
    return min(max(0, number(value)), MOST_TOKENS)


def together(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(one.input + other.input, one.output + other.output, one.cached + other.cached)


def less(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(max(0, one.input - other.input), max(0, one.output - other.output), max(0, one.cached - other.cached))
