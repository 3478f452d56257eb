"""HuggingChat (chat-ui), from the files of its export: messages with their ancestors, without what tools did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from memlane.agents.agent import Peek
from memlane.agents.builders import said
from memlane.agents.exports.chat import Chat, Message
from memlane.agents.exports.export import Export, ExportHead
from memlane.agents.records import Record, mapping, moment, sequence, text
from memlane.domain import Author, Facts, Kind, Step

_THINK, _END = "<think>", "</think>"  # how older messages hold the model's reasoning
_WHO = frozenset({"user", "assistant", "system"})


def _accepts(record: Record) -> bool:
    messages = [mapping(one) for one in sequence(record.get("messages"))]
    told = any(text(one.get("from")) in _WHO and "content" in one for one in messages)
    return told or (isinstance(record.get("messages"), list) and bool(_id(record.get("_id"))))


def _id(value: object) -> str:
    return text(value) or text(mapping(value).get("$oid"))


def _date(value: object) -> object:
    """A dump of the database writes `{"$date": …}`."""
    return mapping(value).get("$date", value)


def _about(record: Record) -> ExportHead:
    native_id = _id(record.get("_id")) or text(record.get("id")) or text(record.get("rootMessageId"))
    started, updated = (moment(_date(record.get(key))) for key in ("createdAt", "updatedAt"))
    return ExportHead(native_id, Peek(started=started, updated=updated))


def _talk(record: Record) -> Chat:
    listed = [mapping(one) for one in sequence(record.get("messages"))]
    unknown = Counter[str]()
    messages: list[Message] = []
    for n, one in enumerate(listed):
        before = messages[-1].id if messages else ""
        messages.append(_message(one, text(one.get("id")) or f"#{n}", _parent(one, before), unknown))
    routed = [text(mapping(one.get("routerMetadata")).get("model")) for one in listed]
    models = dict.fromkeys(model for model in (text(record.get("model")), *routed) if model)
    facts = Facts(title=text(record.get("title")), models=tuple(models), unknown=dict(unknown))
    return Chat(messages, _leaf(record, listed, messages), facts)


def _parent(message: Record, before: str) -> str:
    """The last ancestor; a conversation from before there were branches is a list and nothing more."""
    if "ancestors" not in message:
        return before
    ancestors = sequence(message.get("ancestors"))
    return text(ancestors[-1]) if ancestors else ""


def _leaf(record: Record, listed: Sequence[Record], messages: Sequence[Message]) -> str:
    """From the root always the newest child; without a root, the message that came last."""
    children = {message.id: sequence(one.get("children")) for message, one in zip(messages, listed, strict=True)}
    here, seen = text(record.get("rootMessageId")), set[str]()
    if here not in children:
        return messages[-1].id if messages else ""
    while here not in seen:
        seen.add(here)
        following = [text(child) for child in children.get(here, ()) if text(child) in children]
        here = following[-1] if following else here
    return here


def _message(message: Record, key: str, parent: str, unknown: Counter[str]) -> Message:
    who = text(message.get("from"))
    if who not in _WHO:
        unknown[f"from:{who[:80]}"] += 1
    return Message(key, parent, tuple(_pieces(message, who)), Author.PERSON if who == "user" else None)


def _pieces(message: Record, who: str) -> Iterator[Step]:
    at, native_id, words = (
        moment(_date(message.get("createdAt"))),
        text(message.get("id")),
        text(message.get("content")),
    )
    if who == "user":
        yield said(Author.PERSON, Kind.PROMPT, words, at, native_id)
    elif who == "assistant":
        thought, words = _without_thinking(words)
        for thinking in (text(message.get("reasoning")), thought):
            if thinking.strip():
                yield said(Author.AGENT, Kind.THINKING, thinking, at, native_id)
        if words.strip():
            yield said(Author.AGENT, Kind.TEXT, words, at, native_id)
        if message.get("interrupted") is True:
            yield said(Author.PERSON, Kind.INTERRUPT, "stopped", at)
    elif words.strip():
        yield said(Author.SYSTEM, Kind.META, words, at, native_id)


def _without_thinking(words: str) -> tuple[str, str]:
    head, opened, rest = words.partition(_THINK)
    if not opened or head.strip():
        return "", words
    thought, _, answer = rest.partition(_END)
    return thought.strip(), answer.strip()


HUGGINGCHAT = Export("huggingchat", "HuggingChat", _accepts, _about, _talk)
