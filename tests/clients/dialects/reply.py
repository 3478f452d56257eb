"""What every dialect is handed and shares: the reply to write, and how an event or a text is taken apart."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from tests.clients.script import Call

Body = Mapping[str, object]
OUTPUT_TOKENS = 7  # any small number: nobody counts a fake's words


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model: a call or its words, and the request it answers."""

    content: Call | str
    request: Body
    input_tokens: int
    nonce: str = field(default_factory=lambda: uuid.uuid4().hex[:20])

    @property
    def model(self) -> str:
        return str(self.request.get("model", "fake-model"))

    def id(self, prefix: str) -> str:
        return f"{prefix}_{self.nonce}"


def event(data: Mapping[str, object], name: str = "") -> str:
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n"


def objects(value: object) -> Sequence[Body]:
    """The JSON objects of a list; anything else is no list of objects."""
    return (
        [cast(Body, item) for item in cast(Iterable[object], value) if isinstance(item, dict)]
        if isinstance(value, list)
        else []
    )


def mapping(value: object) -> Body:
    return cast(Body, value) if isinstance(value, dict) else {}


def texts(content: object) -> Sequence[str]:
    """The texts of a message, whether it is one string or a list of parts."""
    if isinstance(content, str):
        return [content]
    return [text for part in objects(content) if isinstance(text := part.get("text"), str)]
