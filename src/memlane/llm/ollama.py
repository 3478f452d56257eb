"""Whether Ollama runs on this computer, and what it has. Asked only when a person sets something up."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memlane.endpoint import Endpoint, NoAnswerError, TooLargeError, TooSlowError
from memlane.llm.http import ASKER

OLLAMA = "http://127.0.0.1:11434"
_PATIENCE = 2.0


class _Has(msgspec.Struct):
    name: str
    size: int = 0


class _List(msgspec.Struct):
    models: list[_Has]


def models(url: str = OLLAMA) -> Sequence[str]:
    """Those that can read, the largest first; none where nobody answers."""
    endpoint = Endpoint(url, ASKER)
    try:
        found = msgspec.json.decode(endpoint.once("/api/tags", None, _PATIENCE).body, type=_List).models
    except (NoAnswerError, TooSlowError, TooLargeError, msgspec.DecodeError, UnicodeDecodeError):
        return []
    finally:
        endpoint.close()
    return [each.name for each in sorted(found, key=lambda each: -each.size) if "embed" not in each.name]
