"""Which model, as a value that can be written down: the one that still answers is remembered while another is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memlane.embed.embedder import Embedder, EmbedderError

MODELS = ("static", "bge-small", "onnx", "ollama", "openai")


@dataclass(frozen=True, slots=True)
class Spec:
    """How to have a model again. It names the variable that holds a key, never the key."""

    model: str = "static"
    name: str = ""  # at its endpoint
    url: str = ""
    folder: str = ""
    dimension: int = 0  # 0: all the model gives
    key_variable: str = ""


def embedder(spec: Spec, variables: Mapping[str, str]) -> Embedder:
    """The model itself; `variables` is the environment, where keys are. Libraries are loaded only if it needs them."""
    match spec.model:
        case "static":
            from memlane.embed.static import Static  # noqa: PLC0415 - numpy, only for who wants vectors

            return Static(spec.dimension)
        case _:
            raise EmbedderError(f"there is no model {spec.model!r}", f"lane config set embed.model {'|'.join(MODELS)}")
