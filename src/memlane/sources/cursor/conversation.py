"""A conversation of the IDE: its head and its bubbles, from either generation of the databases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from memlane.domain import Author, Facts, Kind, ToolCall, Turn
from memlane.sources.cursor.steps import CHANGING, files_in, gathering
from memlane.sources.cursor.stores import ROWS, order_of
from memlane.sources.records import Record, inner, mapping, moment, plain, sequence, text
from memlane.sources.rows import folded
from memlane.sources.source import Line, Transcript

KEYS = {ROWS: ("key",), "composer": ("composerId",), "tab": ("tabId",), "bubble": ("bubbleId", "id")}
_FAILED = frozenset({"error", "failed"})
_REJECTED = frozenset({"rejected", "cancelled"})


@dataclass(frozen=True, slots=True)
class Bubble:
    """One message, and the line it stands on."""

    id: str
    data: Record
    line: int


class ConversationReading:
    """All bubbles are known before the first Turn: a head says their order, and any may have changed."""

    append_only = False

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._transcript = transcript
        self._rows = folded(lines, KEYS)
        self._head, self._bubbles = self._parted()
        self._turn = gathering(transcript)
        self._models: dict[str, None] = {}

    def _parted(self) -> tuple[Record, list[Bubble]]:
        heads = [row.row for table in ("composer", "tab") for row in self._rows.of(table)]
        bubbles = [Bubble(_name(row.row), row.row, row.line) for row in self._rows.of("bubble")]
        for row in self._rows.of(ROWS):
            key, value = text(row.row.get("key")), mapping(inner(row.row.get("value")))
            if key.startswith("composerData:"):
                heads.append(value)
                bubbles += [Bubble(_name(b), b, row.line) for b in map(mapping, sequence(value.get("conversation")))]
            else:
                bubbles.append(Bubble(key.rpartition(":")[2], value, row.line))
        head: Record = heads[-1] if heads else {}
        places = {name: at for at, name in enumerate(order_of(head))}
        return head, sorted(bubbles, key=lambda b: places.get(b.id, len(places))) if places else bubbles

    def turns(self) -> Iterator[Turn]:
        listed = set(order_of(self._head))
        for bubble in self._bubbles:
            at, words = _when(bubble.data), _said(bubble.data).strip()
            if listed and bubble.id not in listed:
                self._turn.add(Author.SYSTEM, Kind.META, bubble.line, f"taken back: {words[:200]}", native_id=bubble.id)
            elif bubble.data.get("type") in (1, "user"):
                if words:
                    yield from self._turn.prompt(words, bubble.line, bubble.id, at)
            else:
                self._answer(bubble, words, at)
        yield from self._turn.finished()

    def _answer(self, bubble: Bubble, words: str, at: datetime | None) -> None:
        thought = text(mapping(bubble.data.get("thinking")).get("text"))
        if thought.strip():
            self._turn.add(Author.AGENT, Kind.THINKING, bubble.line, thought, native_id=bubble.id, at=at)
        if words:
            self._turn.add(Author.AGENT, Kind.TEXT, bubble.line, words, native_id=bubble.id, at=at)
        used = mapping(bubble.data.get("toolFormerData"))
        if text(used.get("name")):
            self._turn.add(Author.TOOL, Kind.TOOL_CALL, bubble.line, "", native_id=bubble.id, at=at, call=_call(used))
            if text(used.get("userDecision")) in _REJECTED:
                self._turn.add(Author.PERSON, Kind.INTERRUPT, bubble.line, "rejected", native_id=bubble.id, at=at)
        model = text(bubble.data.get("modelType"))
        if model:
            self._models[model] = None

    def facts(self) -> Facts:
        chosen = text(mapping(self._head.get("modelConfig")).get("modelName"))
        return Facts(
            title=text(self._head.get("name")) or text(self._head.get("chatTitle")),
            models=tuple(dict.fromkeys([*self._models, *([chosen] if chosen else [])])),
            parent_native_id=self._transcript.parent_native_id,
            relation=self._transcript.relation,
            unknown=dict(self._rows.unknown),
            broken=tuple(self._rows.broken),
        )


def _name(bubble: Record) -> str:
    return text(bubble.get("bubbleId")) or text(bubble.get("id"))


def _said(bubble: Record) -> str:
    return text(bubble.get("text")) or text(bubble.get("rawText"))


def _when(bubble: Record) -> datetime | None:
    timing = mapping(bubble.get("timingInfo"))
    return moment(bubble.get("createdAt")) or moment(timing.get("clientRpcSendTime"))


def _call(used: Record) -> ToolCall:
    name = text(used.get("name"))
    given = mapping(plain(inner(used.get("rawArgs")))) or mapping(plain(inner(used.get("params"))))
    result = used.get("result")
    status = text(used.get("status"))
    return ToolCall(name, given, text(result), status in _FAILED, files_in(given), name in CHANGING)
