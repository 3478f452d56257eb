"""What is known of models by name: prefixes, dimensions, the weights that ship, fitted calibrations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")  # for the name of a folder
_BGE = "Represent this sentence for searching relevant passages: "
_QWEN = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
_GEMMA = "task: search result | query: "


@dataclass(frozen=True, slots=True)
class KnownModel:
    dimension: int = 0  # 0: it has to be asked
    query: str = ""
    passage: str = ""
    matryoshka: bool = False  # gives more than `dimension`, and was trained to be cut


_KNOWN = {  # by how a name begins, without its owner
    "mxbai-embed-large": KnownModel(1024, _BGE),
    "qwen3-embedding": KnownModel(768, _QWEN, matryoshka=True),  # 1024 to 4096 numbers, by its size
    "nomic-embed-text": KnownModel(768, "search_query: ", "search_document: "),
    "embeddinggemma": KnownModel(768, _GEMMA, "title: none | text: "),
    "snowflake-arctic-embed": KnownModel(0, _BGE),
    "multilingual-e5": KnownModel(0, "query: ", "passage: "),
    "e5-": KnownModel(0, "query: ", "passage: "),
    "bge-m3": KnownModel(1024),
    "bge-small-en": KnownModel(384, _BGE),
    "bge-base-en": KnownModel(768, _BGE),
    "bge-large-en": KnownModel(1024, _BGE),
    "all-minilm": KnownModel(384),
    "text-embedding-3-small": KnownModel(1536),
    "text-embedding-3-large": KnownModel(3072),
    "text-embedding-ada-002": KnownModel(1536),
}


def known(name: str) -> KnownModel:
    plain = name.rpartition("/")[2].lower().replace("_", "-")
    return next((facts for begin, facts in _KNOWN.items() if plain.startswith(begin)), KnownModel())


def tagged(name: str, dimension: int) -> str:
    """As every vector is marked, and its folder is called."""
    return f"{_UNFIT.sub('-', name).lstrip('.-')}@{dimension}"


ENCODER, ENCODER_DIMENSION = "minilm-recall", 384
ENCODER_WEIGHTS = Path(__file__).parent / "encoder" / "minilm-recall.weights"
ENCODER_SHA256 = "afe65a40ce625c66f70fb369156e9447b6493ea677ce88baf9fe7b88837ed376"
LOOK = "second-look"
LOOK_WEIGHTS = Path(__file__).parent / "encoder" / "second-look.weights"
LOOK_SHA256 = "ec7f5eeb5a979372950e41352cac74fb8b8c940532ecd5fcd6d5079db17d5b66"
TEACHING_WEIGHTS = Path(__file__).parent / "encoder" / "teaching-look.weights"
TEACHING_SHA256 = "031acdb3f42d58c0a8fecf6643234db03159ab99b47cc447d4d69682b9959725"
TUNED = tagged(f"{ENCODER}-{ENCODER_SHA256[:8]}", ENCODER_DIMENSION)  # on every vector of it
SECOND_LOOK = f"{LOOK}-{LOOK_SHA256[:8]}"  # as it is named in every recall it judged


FITTED = Path(__file__).with_name("calibrations.json")


def calibration(tag: str) -> Mapping[str, float] | None:
    """By the tag on its vectors: other weights or another dimension is another model."""
    return _fitted().get(tag)


def look_calibration(encoder: str, look: str) -> Mapping[str, float] | None:
    """What a second look's log-odds mean of notes that this encoder found: fitted for the two of them."""
    return _fitted().get(f"{encoder}+{look}")


@cache
def _fitted() -> dict[str, dict[str, float]]:
    return msgspec.json.decode(FITTED.read_bytes(), type=dict[str, dict[str, float]])
