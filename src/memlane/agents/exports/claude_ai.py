"""Claude.ai, from the files of its data export: a list of messages of typed blocks per conversation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memlane.agents.agent import Peek
from memlane.agents.builders import said
from memlane.agents.exports.chat import Chat, Message, Output, called
from memlane.agents.exports.export import Export, ExportHead
from memlane.agents.records import Record, mapping, moment, plain, sequence, text
from memlane.domain import NO_PROJECT, Author, Facts, Kind, Project, Step

_SILENT = frozenset({"token_budget", "flag"})


@dataclass(frozen=True, slots=True)
class _Place:
    at: datetime | None
    native_id: str


def _accepts(record: Record) -> bool:
    return isinstance(record.get("chat_messages"), list)


def _about(record: Record) -> ExportHead:
    times = (moment(mapping(one).get("created_at")) for one in sequence(record.get("chat_messages")))
    started = moment(record.get("created_at")) or next((at for at in times if at), None)
    peek = Peek(started=started, updated=moment(record.get("updated_at")), project=_project(record))
    return ExportHead(text(record.get("uuid")), peek)


def _project(record: Record) -> Project:
    """One of Claude.ai's own: known by its id, called as the person called it."""
    known = mapping(record.get("project"))
    name, key = text(known.get("name")), text(known.get("uuid"))
    return Project(name or key, f"claude.ai/{key or name}") if name or key else NO_PROJECT


def _talk(record: Record) -> Chat:
    listed = [mapping(one) for one in sequence(record.get("chat_messages"))]
    unknown = Counter[str]()
    messages: list[Message] = []
    for n, one in enumerate(listed):
        before = messages[-1].id if messages else ""
        messages.append(_message(one, text(one.get("uuid")) or f"#{n}", _parent(one, before), unknown))
    facts = Facts(
        title=text(record.get("name")),
        account=text(mapping(record.get("account")).get("uuid")),
        unknown=dict(unknown),
    )
    return Chat(messages, messages[-1].id if messages else "", facts)


def _parent(message: Record, before: str) -> str:
    """Older exports are a list and nothing more: then each answers the one before it."""
    return text(message.get("parent_message_uuid")) if "parent_message_uuid" in message else before


def _message(message: Record, key: str, parent: str, unknown: Counter[str]) -> Message:
    place = _Place(moment(message.get("created_at")), text(message.get("uuid")))
    blocks = [mapping(block) for block in sequence(message.get("content"))]
    if text(message.get("sender")) == "human":
        prompt = said(Author.PERSON, Kind.PROMPT, _typed(message, blocks), place.at, place.native_id)
        return Message(key, parent, (prompt, *_attached(message, place.at)), Author.PERSON)
    pieces = [piece for block in blocks for piece in _pieces(block, place, unknown)]
    if not pieces and text(message.get("text")):
        pieces = [said(Author.AGENT, Kind.TEXT, text(message.get("text")), place.at, place.native_id)]
    return Message(key, parent, tuple(pieces))


def _typed(message: Record, blocks: Sequence[Record]) -> str:
    """Blocks before the flat text, in which newer exports put words of their own where a block was."""
    spoken = [text(block.get("text")) for block in blocks if text(block.get("type")) in ("text", "voice_note")]
    words = "\n".join(part for part in spoken if part) or text(message.get("text"))
    files = [text(mapping(file).get("file_name")) for file in sequence(message.get("files"))]
    return words or " ".join(f"[{name}]" for name in files if name)


def _attached(message: Record, at: datetime | None) -> Iterator[Step]:
    """A pasted document is in the person's hands, but not the person's words."""
    for attachment in (mapping(one) for one in sequence(message.get("attachments"))):
        name, words = text(attachment.get("file_name")), text(attachment.get("extracted_content"))
        yield said(Author.PERSON, Kind.META, f"attached: {name or 'pasted text'}", at)
        if words:
            yield said(Author.TOOL, Kind.TEXT, words, at)
    names = [name for file in sequence(message.get("files")) if (name := text(mapping(file).get("file_name")))]
    if names:
        yield said(Author.PERSON, Kind.META, f"attached: {', '.join(names)}", at)


def _pieces(block: Record, place: _Place, unknown: Counter[str]) -> Iterator[Step | Output]:
    at, kind = moment(block.get("start_timestamp")) or place.at, text(block.get("type"))
    if kind == "tool_use":
        yield called(text(block.get("name")), mapping(plain(mapping(block.get("input")))), at, place.native_id)
    elif kind == "tool_result":
        words = _output(block.get("content"))
        step = said(Author.TOOL, Kind.TEXT, words, at, place.native_id)
        yield Output(step, text(block.get("name")), error=block.get("is_error") is True)
    elif kind in ("text", "voice_note", "thinking"):
        words = text(block.get("thinking")) if kind == "thinking" else text(block.get("text"))
        if words.strip():
            how = Kind.THINKING if kind == "thinking" else Kind.TEXT
            yield said(Author.AGENT, how, words, at, place.native_id)
    elif kind not in _SILENT:
        unknown[kind[:80]] += 1


def _output(content: object) -> str:
    if isinstance(content, str):
        return text(content)
    blocks = [mapping(block) for block in sequence(content)]
    told = [text(block.get("text")) or text(block.get("title")) or text(block.get("url")) for block in blocks]
    return "\n".join(part for part in told if part)


CLAUDE_AI = Export("claude-ai", "Claude.ai", _accepts, _about, _talk)
