"""One file per API the clients speak: how a request is read, and how a reply is written whole or in a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.clients.dialects import anthropic, chat, gemini, responses
from tests.clients.dialects.reply import Body, Reply
from tests.clients.script import Conversation


@dataclass(frozen=True, slots=True)
class Dialect:
    """One API. `stream` yields whole server-sent events."""

    read: Callable[[Body], Conversation]
    whole: Callable[[Reply], Mapping[str, object]]
    stream: Callable[[Reply], Iterator[str]]


ANTHROPIC = Dialect(anthropic.read, anthropic.whole, anthropic.stream)
RESPONSES = Dialect(responses.read, responses.whole, responses.stream)
CHAT = Dialect(chat.read, chat.whole, chat.stream)
GEMINI = Dialect(gemini.read, gemini.whole, gemini.stream)

__all__ = ["ANTHROPIC", "CHAT", "GEMINI", "RESPONSES", "Body", "Dialect", "Reply"]
