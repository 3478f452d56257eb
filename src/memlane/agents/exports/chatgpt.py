"""ChatGPT, from the files of its data export: a tree of messages per conversation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from memlane.agents.agent import Peek
from memlane.agents.builders import said
from memlane.agents.exports.chat import Chat, Message, Output, called
from memlane.agents.exports.export import Export, ExportHead
from memlane.agents.records import Record, inner, mapping, moment, plain, sequence, text
from memlane.domain import Author, Facts, Kind, Step

TO_THE_PERSON = ("all", "")
_SHOWN = {
    "image_asset_pointer": "[image]",
    "audio_asset_pointer": "[audio]",
    "video_container_asset_pointer": "[video]",
}
_CONTENT = frozenset(
    {
        "text", "multimodal_text", "code", "execution_output", "thoughts", "reasoning_recap", "tether_quote",
        "tether_browsing_display", "sonic_webpage", "system_error", "user_editable_context", "model_editable_context",
        "computer_output", "app_pairing_content",
    }
)  # fmt: skip
_OF_THE_HARNESS = frozenset({"reasoning_recap", "user_editable_context", "model_editable_context"})
_HIDDEN = ("is_visually_hidden_from_conversation", "is_user_system_message")


def _accepts(record: Record) -> bool:
    return isinstance(record.get("mapping"), dict)


def _about(record: Record) -> ExportHead:
    """Exports of early 2023 name no id: then the root of the tree, which stays when a conversation grows."""
    nodes = mapping(record.get("mapping"))
    root = next((key for key, node in nodes.items() if not mapping(node).get("parent")), "")
    native_id = text(record.get("conversation_id")) or text(record.get("id")) or text(root)
    started = moment(record.get("create_time")) or min(_times(nodes), default=None)
    return ExportHead(native_id, Peek(started=started, updated=moment(record.get("update_time"))))


def _times(nodes: Record) -> Iterator[datetime]:
    for node in nodes.values():
        at = moment(mapping(mapping(node).get("message")).get("create_time"))
        if at is not None:
            yield at


def _talk(record: Record) -> Chat:
    nodes = {text(key): mapping(node) for key, node in mapping(record.get("mapping")).items() if text(key)}
    order = {
        text(child): place for node in nodes.values() for place, child in enumerate(sequence(node.get("children")))
    }
    unknown, models = Counter[str](), dict[str, None]()
    messages: list[Message] = []
    for key in sorted(nodes, key=lambda key: order.get(key, 0)):  # siblings in the order they were made
        message = mapping(nodes[key].get("message"))
        messages.append(_message(key, text(nodes[key].get("parent")), message, unknown))
        models |= {model: None for model in [_model(message)] if model}
    facts = Facts(title=text(record.get("title")), models=tuple(models), unknown=dict(unknown))
    leaf = text(record.get("current_node"))
    return Chat(messages, leaf if leaf in nodes else _newest_leaf(nodes), facts)


def _newest_leaf(nodes: dict[str, Record]) -> str:
    leaves = [key for key, node in nodes.items() if not sequence(node.get("children"))]
    return max(leaves, key=lambda key: str(moment(mapping(nodes[key].get("message")).get("create_time"))), default="")


def _message(key: str, parent: str, message: Record, unknown: Counter[str]) -> Message:
    content, role = mapping(message.get("content")), text(mapping(message.get("author")).get("role"))
    kind = text(content.get("content_type"))
    if kind and kind not in _CONTENT:
        unknown[kind[:80]] += 1
    author = Author.PERSON if role == "user" and not _is_harness(message, kind) else None
    model = _model(message)
    pieces = [
        piece if isinstance(piece, Output) else replace(piece, model=model) for piece in _pieces(message, role, kind)
    ]
    return Message(key, parent, tuple(pieces), author)


def _is_harness(message: Record, kind: str) -> bool:
    about = mapping(message.get("metadata"))
    return kind in _OF_THE_HARNESS or any(about.get(flag) is True for flag in _HIDDEN)


def _pieces(message: Record, role: str, kind: str) -> Iterator[Step | Output]:
    at, native_id, words = moment(message.get("create_time")), text(message.get("id")), _words(message)
    if role == "user" and not _is_harness(message, kind):
        yield said(Author.PERSON, Kind.PROMPT, words, at, native_id)
        yield from _attached(message, at)
    elif role == "assistant":
        yield from _answer(message, kind, said(Author.AGENT, Kind.TEXT, _without_marks(words), at, native_id))
    elif role == "tool":
        name = text(mapping(message.get("author")).get("name"))
        yield Output(said(Author.TOOL, Kind.TEXT, words, at, native_id), name, error=_failed(message, kind))
    elif words:
        yield said(Author.SYSTEM, Kind.META, words, at, native_id)


# What its page draws as a small link: "\ue200cite\ue202turn0search1\ue201", and before 2025 "【4†source】".
_MARK = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_OLD_MARK = re.compile("【[^【】†]*†[^【】]*】")
_NAMED = frozenset({"url", "link_title"})  # marks with words a person reads


def _without_marks(words: str) -> str:
    """An answer as a person reads it: the words of a link stay, numbers of sources do not."""
    if "\ue200" not in words and "【" not in words:
        return words
    return _OLD_MARK.sub("", _MARK.sub(_read, words))


def _read(mark: re.Match[str]) -> str:
    kind, *parts = mark[1].split("\ue202")
    return parts[0] if kind in _NAMED and parts else ""


def _answer(message: Record, kind: str, step: Step) -> Iterator[Step]:
    recipient = text(message.get("recipient"))
    if _is_harness(message, kind):
        step = replace(step, author=Author.SYSTEM, kind=Kind.META)
    elif kind == "thoughts" or text(message.get("channel")) == "analysis":
        step = replace(step, kind=Kind.THINKING)
    elif recipient not in TO_THE_PERSON:
        yield called(recipient, _given(step.text, kind), step.at, step.native_id)
        return
    if step.text.strip():
        yield step
    if text(mapping(mapping(message.get("metadata")).get("finish_details")).get("type")) == "interrupted":
        yield said(Author.PERSON, Kind.INTERRUPT, "stopped", step.at)


def _given(words: str, kind: str) -> Record:
    """What a tool was called with: most are given JSON, the interpreter is given code."""
    decoded = mapping(inner(words) if words.startswith("{") else None)
    return mapping(plain(decoded)) if decoded else {"code" if kind == "code" else "text": words}


def _failed(message: Record, kind: str) -> bool:
    outcome = text(mapping(mapping(message.get("metadata")).get("aggregate_result")).get("status"))
    return kind == "system_error" or outcome.startswith("failed")


def _attached(message: Record, at: datetime | None) -> Iterator[Step]:
    files = sequence(mapping(message.get("metadata")).get("attachments"))
    names = [name for file in files if (name := text(mapping(file).get("name")))]
    if names:
        yield said(Author.PERSON, Kind.META, f"attached: {', '.join(names)}", at)


def _words(message: Record) -> str:
    content = mapping(message.get("content"))
    if text(content.get("content_type")) == "thoughts":
        told = [mapping(thought) for thought in sequence(content.get("thoughts"))]
        return "\n\n".join(text(one.get("content")) or text(one.get("summary")) for one in told)
    spoken = [text(part) or text(mapping(part).get("text")) for part in sequence(content.get("parts"))]
    if any(spoken):
        return "\n".join(part for part in spoken if part)
    shown = [_SHOWN.get(text(mapping(part).get("content_type")), "") for part in sequence(content.get("parts"))]
    if any(shown):
        return " ".join(part for part in shown if part)
    keys = ("text", "result", "content", "user_profile", "user_instructions", "model_set_context")
    return "\n".join(part for key in keys if (part := text(content.get(key))))


def _model(message: Record) -> str:
    return text(mapping(message.get("metadata")).get("model_slug"))


CHATGPT = Export("chatgpt", "ChatGPT", _accepts, _about, _talk)
