"""Models behind an address: Ollama's, and every endpoint that speaks as OpenAI's does.

What comes back is believed only after it was checked. It knows no settings and never shows a key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from memlane.embed.embedder import EmbedderError
from memlane.embed.models import known, tagged
from memlane.embed.vectors import unit
from memlane.system.http_client import Asker, Endpoint, HttpAnswer, said_in

if TYPE_CHECKING:
    from memlane.embed.embedder import Vector

ASKER = Asker(EmbedderError, "embed")
_PATIENCE = 60.0  # seconds for one batch
_QUESTION = 20.0  # its asker has left long before; what comes after it must not wait for longer
_MOST = 8_000  # characters of one text: about the two thousand tokens most models read
_BLANK = "-"  # instead of a text that says nothing, which some refuse
_OK, _BAD, _UNKNOWN, _DENIED = 200, 400, 404, (401, 403)


class _OllamaVectors(msgspec.Struct):
    embeddings: list[list[float]]

    def rows(self) -> list[list[float]]:
        return self.embeddings


class _OpenAIVector(msgspec.Struct):
    embedding: list[float]
    index: int


class _OpenAIVectors(msgspec.Struct):
    data: list[_OpenAIVector]

    def rows(self) -> list[list[float]]:
        ordered = sorted(self.data, key=lambda item: item.index)
        if [item.index for item in ordered] != list(range(len(ordered))):
            raise msgspec.ValidationError("vectors are missing or duplicated")
        return [item.embedding for item in ordered]


class RemoteEmbedder:
    """One model of one endpoint, `ollama` or `openai`. How many numbers it gives is known, given, or asked once."""

    def __init__(self, provider: str, name: str, endpoint: Endpoint, dimension: int) -> None:
        self._provider, self._name, self._endpoint = provider, name, endpoint
        self._facts = known(name)
        self._cut = dimension > 0 or self._facts.matryoshka
        self._dimension = dimension or self._facts.dimension
        self._send_dimension = provider == "openai" and dimension > 0
        self._who = f"{name} at {endpoint.shown}"

    @property
    def dimension(self) -> int:
        if not self._dimension:
            (row,) = self._asked([_BLANK], _QUESTION)
            self._dimension = len(unit([row], 1, len(row), self._who)[0])
        return self._dimension

    @property
    def tag(self) -> str:
        return tagged(f"{self._provider}-{self._name}", self.dimension)

    def passages(self, texts: Sequence[str]) -> Vector:
        return self._vectors([self._facts.passage + _said(text) for text in texts], _PATIENCE)

    def query(self, text: str) -> Vector:
        return self._vectors([self._facts.query + _said(text)], _QUESTION)[0]

    def close(self) -> None:
        self._endpoint.close()

    def _vectors(self, texts: Sequence[str], patience: float) -> Vector:
        found = self._asked(texts, patience) if texts else []
        if not self._cut and (wrong := {len(row) for row in found} - {self.dimension}):
            raise EmbedderError(
                f"{self._who} gave {min(wrong)} numbers instead of {self.dimension}", "lane config get embed"
            )
        return unit(found, len(texts), self.dimension, self._who)

    def _asked(self, texts: Sequence[str], patience: float) -> list[list[float]]:
        answer = self._post(texts, patience)
        if self._send_dimension and answer.status == _BAD and b"dimension" in answer.body:
            self._send_dimension = False  # not all of them know how to cut; we do
            answer = self._post(texts, patience)
        if answer.status != _OK:
            raise self._refused(answer)
        try:
            return msgspec.json.decode(
                answer.body, type=_OllamaVectors if self._provider == "ollama" else _OpenAIVectors
            ).rows()
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise EmbedderError(f"{self._who} gave an unreadable answer ({error})") from error

    def _post(self, texts: Sequence[str], patience: float) -> HttpAnswer:
        asked: dict[str, object] = {"model": self._name, "input": list(texts)}
        if self._provider == "ollama":
            return self._endpoint.post(f"{self._endpoint.path}/api/embed", msgspec.json.encode(asked), patience)
        if self._send_dimension:
            asked["dimensions"] = self._dimension
        path = self._endpoint.path or "/v1"
        return self._endpoint.post(f"{path}/embeddings", msgspec.json.encode(asked), patience)

    def _refused(self, answer: HttpAnswer) -> EmbedderError:
        if answer.status in _DENIED:  # what it says may quote the key
            return EmbedderError(
                f"{self._who} rejected the key ({answer.status})", "lane config get embed.key_variable"
            )
        hint = "lane config get embed"
        if self._provider == "ollama" and answer.status == _UNKNOWN:
            hint = f"ollama pull {self._name}"
        return EmbedderError(f"{self._who} answers {answer.status}: {said_in(answer)}", hint)


def remote(provider: str, name: str, url: str, key: str, dimension: int) -> RemoteEmbedder:
    usual, model = _USUAL[provider]
    if dimension < 0:
        raise EmbedderError(f"a vector cannot have {dimension} numbers", "lane config set embed.dimension 0")
    return RemoteEmbedder(provider, name or model, Endpoint(url or usual, ASKER, key=key), dimension)


_USUAL: Mapping[str, tuple[str, str]] = {
    "ollama": ("http://127.0.0.1:11434", "mxbai-embed-large"),
    "openai": ("https://api.openai.com/v1", "text-embedding-3-small"),
}


def _said(text: str) -> str:
    """Text an endpoint takes: not blank, not endless, no half characters."""
    return text[:_MOST].encode("utf-8", "replace").decode() if text.strip() else _BLANK
