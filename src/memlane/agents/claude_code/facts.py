"""What a transcript says about itself as a whole, gathered while its records go by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from memlane.agents.agent import Transcript
from memlane.agents.records import Record, mapping, mark, number, text
from memlane.domain import BrokenLine, Facts, Relation, Tokens

SYNTHETIC = "<synthetic>"  # the client's own words in the agent's place
MOST_BROKEN = 1000  # a person looks at a few; a hostile file has millions
MOST_UNKNOWN = 200
MOST_SUMMARIES = 500
MOST_TOKENS = 1 << 40  # of one message; anything more is not a count
MOST_DOLLARS = 1e9
_TITLES = {"custom-title": "customTitle", "ai-title": "aiTitle", "agent-name": "agentName"}
_SKILL_BODY = "Base directory for this skill: "


@dataclass(slots=True)
class ClaudeCodeFacts:
    """Fills up during one reading."""

    _transcript: Transcript
    _titles: dict[str, str] = field(default_factory=dict[str, str])
    _summaries: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _last: dict[str, str] = field(default_factory=dict[str, str])
    _cwd: str = ""
    _session: str = ""
    _forked_from: str = ""
    _account: str = ""
    _cost: float = 0.0
    _models: dict[str, None] = field(default_factory=dict[str, None])
    _skills: dict[str, None] = field(default_factory=dict[str, None])
    _commands: dict[str, None] = field(default_factory=dict[str, None])
    _spent: dict[int, tuple[int, int, int]] = field(default_factory=dict[int, tuple[int, int, int]])
    _unknown: dict[str, int] = field(default_factory=dict[str, int])
    _broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    typed: bool = False  # a person prompted
    driven: bool = False  # a program did

    @property
    def entrypoint(self) -> str:
        return self._last.get("entrypoint", "")

    def envelope(self, record: Record) -> None:
        """What every record of the conversation carries around its message."""
        for key in ("gitBranch", "version", "entrypoint"):
            if value := record.get(key):
                self._last[key] = text(value)
        if not self._cwd:
            self._cwd = text(record.get("cwd"))
        if not self._session:
            self._session = text(record.get("sessionId"))
        if not self._forked_from and "forkedFrom" in record:
            self._forked_from = text(mapping(record["forkedFrom"]).get("sessionId"))

    def note(self, kind: str, record: Record) -> bool:
        """A record that is about the transcript as a whole; false if this one is not."""
        match kind:
            case "custom-title" | "ai-title" | "agent-name":
                self._titled(kind, record.get(_TITLES[kind]))
            case "summary":  # a title too, but often of another session: `leafUuid` tells whose
                self._summaries.append((text(record.get("leafUuid")), text(record.get("summary")).strip()))
                del self._summaries[:-MOST_SUMMARIES]
            case "session-owner":
                self._account = text(record.get("accountUuid")) or self._account
            case "cost-state":
                self._spend(record.get("totalCostUSD"))
            case _:
                return False
        return True

    def _titled(self, kind: str, words: object) -> None:
        if titled := text(words).strip():
            self._titles[kind] = titled

    def _spend(self, total: object) -> None:
        if isinstance(total, int | float) and 0 <= total < MOST_DOLLARS:
            self._cost = float(total)

    def message(self, record: Record, message: Record) -> None:
        """Each block repeats the usage of its whole message, early ones too small: the largest counts."""
        if (model := text(message.get("model"))) and model != SYNTHETIC:
            self._models[model] = None
        usage = mapping(message.get("usage"))
        if usage:
            key = mark(text(message.get("id")) or text(record.get("uuid")), text(record.get("requestId")))
            before = self._spent.get(key, (0, 0, 0))
            now = _tokens(usage)
            self._spent[key] = (max(before[0], now[0]), max(before[1], now[1]), max(before[2], now[2]))

    def skill(self, name: object) -> None:
        if name := text(name).strip():
            self._skills[name] = None

    def skill_body(self, said: str) -> None:
        if said.startswith(_SKILL_BODY):
            folder = said[len(_SKILL_BODY) :].partition("\n")[0].strip().replace("\\", "/")
            self.skill(PurePosixPath(folder).name)

    def command(self, name: str) -> None:
        if name:
            self._commands[name] = None

    def unknown(self, kind: str) -> None:
        kind = kind[:80]
        if kind not in self._unknown and len(self._unknown) >= MOST_UNKNOWN:
            kind = "others"
        self._unknown[kind] = self._unknown.get(kind, 0) + 1

    def broken(self, line: int, reason: str) -> None:
        if len(self._broken) < MOST_BROKEN:
            self._broken.append(BrokenLine(line, reason))

    def facts(self, known: Mapping[int, object]) -> Facts:
        """`known`: the marks of the ids of this file's own records."""
        parent, relation = self._parent()
        return Facts(
            title=self._title(known),
            cwd=self._cwd,
            branch=self._last.get("gitBranch", ""),
            account=self._account,
            version=self._last.get("version", ""),
            models=tuple(self._models),
            tokens=Tokens(*(sum(each) for each in zip(*self._spent.values(), strict=True)) if self._spent else ()),
            cost=self._cost,
            parent_native_id=parent,
            relation=relation,
            skills=tuple(self._skills),
            commands=tuple(self._commands),
            headless=self.driven and not self.typed,
            unknown=dict(self._unknown),
            broken=tuple(self._broken),
        )

    def _title(self, known: Mapping[int, object]) -> str:
        ours = [title for leaf, title in self._summaries if title and mark(leaf) in known]
        named = [self._titles[kind] for kind in ("custom-title", "ai-title") if kind in self._titles]
        return next(iter((*named, *reversed(ours), self._titles.get("agent-name", ""))))

    def _parent(self) -> tuple[str, Relation | None]:
        named = self._transcript
        if named.relation is Relation.SUBAGENT:
            return named.parent_native_id or self._session, Relation.SUBAGENT
        if self._forked_from and self._forked_from != named.native_id:
            return self._forked_from, Relation.FORK
        return named.parent_native_id, named.relation


def _tokens(usage: Record) -> tuple[int, int, int]:
    fresh = _count(usage, "input_tokens") + _count(usage, "cache_creation_input_tokens")
    return fresh, _count(usage, "output_tokens"), _count(usage, "cache_read_input_tokens")


def _count(usage: Record, key: str) -> int:
    return min(max(0, number(usage.get(key))), MOST_TOKENS)
