"""Which embedding model, as settings name it, and how to open it; libraries are loaded only then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.embed.embedder import Embedder, EmbedderError
from memlane.embed.models import LOOK_SHA256, LOOK_WEIGHTS, TEACHING_SHA256, TEACHING_WEIGHTS
from memlane.system.extra import install_line

if TYPE_CHECKING:
    from memlane.embed.encoder import SecondLook, SentenceLook, TunedEncoder
    from memlane.embed.labels import TokenLabels

MODELS = ("static", "tuned", "bge-small", "onnx", "ollama", "openai")


@dataclass(frozen=True, slots=True)
class EmbedderSpec:
    """How to have a model again. It names the variable that holds a key, never the key."""

    model: str = "static"
    name: str = ""  # at its endpoint
    url: str = ""
    folder: str = ""
    dimension: int = 0  # 0: all the model gives
    key_variable: str = ""
    setting: str = "embed.folder"  # the one that names the folder

    @property
    def title(self) -> str:
        """As the settings name it, before it was ever opened."""
        size = f"{self.dimension} dimensions" if self.dimension else ""
        return " ".join(filter(None, (self.model, self.name, size)))


def embedder(spec: EmbedderSpec, variables: Mapping[str, str]) -> Embedder:
    """The model itself; `variables` is the environment, where keys are. Libraries are loaded only if it needs them."""
    match spec.model:
        case "static":
            from memlane.embed.static_table import StaticEmbedder  # noqa: PLC0415 - numpy, only for who wants vectors

            return StaticEmbedder(spec.dimension)
        case "tuned":
            return _tuned(spec.dimension)
        case "ollama" | "openai":
            from memlane.embed.http import ASKER, remote  # noqa: PLC0415 - the same
            from memlane.system.http_client import variable  # noqa: PLC0415 - the same

            key = variable(spec.key_variable, variables, ASKER)
            return remote(spec.model, spec.name, spec.url, key, spec.dimension)
        case "onnx" | "bge-small":
            return _transformer(spec)
        case _:
            raise EmbedderError(f"there is no model {spec.model!r}", f"lane config set embed.model {'|'.join(MODELS)}")


@lru_cache(1)
def second_look() -> SecondLook:
    """Once in a process, like the encoder it reads on from."""
    from memlane.embed.encoder import SecondLook as Shipped  # noqa: PLC0415 - numpy, only for who wants it

    return Shipped(_tuned(0), LOOK_WEIGHTS, LOOK_SHA256)


@lru_cache(1)
def teaching_look() -> SentenceLook:
    """Once in a process, like the encoder it reads on from."""
    from memlane.embed.encoder import SentenceLook as Shipped  # noqa: PLC0415 - numpy, only for who wants it

    return Shipped(_tuned(0), TEACHING_WEIGHTS, TEACHING_SHA256)


@lru_cache(1)
def _tuned(dimension: int) -> TunedEncoder:
    """Once in a process: a daemon has several Lanes, and its numbers take 90 MB."""
    from memlane.embed.encoder import TunedEncoder as Shipped  # noqa: PLC0415 - numpy, only for who wants vectors

    return Shipped(dimension=dimension)


def token_labels(folder: str, setting: str) -> TokenLabels:
    """The token classifier in a folder; `setting` names it in what is said about a wrong one."""
    try:
        from memlane.embed.labels import TokenLabels as Found  # noqa: PLC0415 - onnxruntime, only for who wants it
    except ImportError as error:
        raise EmbedderError(f"the model in {folder} needs {error.name}", install_line("onnx")) from error
    return Found(Path(folder).expanduser(), setting)


def _transformer(spec: EmbedderSpec) -> Embedder:
    try:
        from memlane.embed.onnx import OnnxEmbedder, model_folder, packaged  # noqa: PLC0415 - onnxruntime, only for who wants it
    except ImportError as error:
        missing = f"the model {spec.model} needs {error.name}"
        raise EmbedderError(missing, install_line("onnx")) from error
    if spec.model == "bge-small":
        return OnnxEmbedder(packaged(), spec.dimension)
    if not spec.folder:
        raise EmbedderError("the model's folder is not set", f"lane config set {spec.setting} FOLDER")
    return OnnxEmbedder(model_folder(Path(spec.folder).expanduser(), spec.setting), spec.dimension)
