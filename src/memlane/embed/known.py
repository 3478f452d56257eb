"""What some models want to be told: a word before questions and passages, and how many numbers they give.

Others work too: they are asked once how many numbers they give, and told nothing but the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")  # for the name of a folder
_BGE = "Represent this sentence for searching relevant passages: "
_QWEN = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
_GEMMA = "task: search result | query: "


@dataclass(frozen=True, slots=True)
class Known:
    dimension: int = 0  # 0: it has to be asked
    query: str = ""
    passage: str = ""
    matryoshka: bool = False  # gives more than `dimension`, and was trained to be cut


_KNOWN = {  # by how a name begins, without its owner
    "mxbai-embed-large": Known(1024, _BGE),
    "qwen3-embedding": Known(768, _QWEN, matryoshka=True),  # 1024 to 4096 numbers, by its size
    "nomic-embed-text": Known(768, "search_query: ", "search_document: "),
    "embeddinggemma": Known(768, _GEMMA, "title: none | text: "),
    "snowflake-arctic-embed": Known(0, _BGE),
    "multilingual-e5": Known(0, "query: ", "passage: "),
    "e5-": Known(0, "query: ", "passage: "),
    "bge-m3": Known(1024),
    "bge-small-en": Known(384, _BGE),
    "bge-base-en": Known(768, _BGE),
    "bge-large-en": Known(1024, _BGE),
    "all-minilm": Known(384),
    "text-embedding-3-small": Known(1536),
    "text-embedding-3-large": Known(3072),
    "text-embedding-ada-002": Known(1536),
}


def known(name: str) -> Known:
    plain = name.rpartition("/")[2].lower().replace("_", "-")
    return next((facts for begin, facts in _KNOWN.items() if plain.startswith(begin)), Known())


def tagged(name: str, dimension: int) -> str:
    """As every vector is marked, and its folder is called."""
    return f"{_UNFIT.sub('-', name).lstrip('.-')}@{dimension}"
