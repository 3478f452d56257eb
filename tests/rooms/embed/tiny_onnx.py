"""The smallest sentence transformer there can be, written by hand: each token is a row of a table, and that is all."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "ferry", "ledger", "boat", "nothing"]
ROWS = [[0.1, 0.1, 0.1], [1.0, 1.0, 1.0], [1.0, 0.0, 0.2], [0.0, 1.0, 0.1], [0.9, 0.1, 0.2], [0.1, 0.1, 1.0]]
FLOAT, INT64 = 1, 7


def write(folder: Path, rows: Sequence[Sequence[float]] = ROWS, words: Sequence[str] = WORDS) -> Path:
    """`words`: one for each row; the second is what stands for any other."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(model(rows))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer(words)))
    return folder


def classifier(folder: Path, labels: Mapping[str, str]) -> Path:
    """Each of these words has its label, every other one none."""
    names = ["O", *dict.fromkeys(labels.values())]
    words = ["[PAD]", "[UNK]", *labels]
    rows = [[float(name == labels.get(word, "O")) for name in names] for word in words]
    write(folder, rows, words)
    (folder / "config.json").write_text(json.dumps({"id2label": {str(n): name for n, name in enumerate(names)}}))
    return folder


def tokenizer(words: Sequence[str] = WORDS) -> dict[str, object]:
    numbers = {word: number for number, word in enumerate(words)}
    model = {"type": "WordLevel", "vocab": numbers, "unk_token": "[UNK]"}
    nothing = dict.fromkeys(("truncation", "padding", "normalizer", "post_processor", "decoder"))
    return {"version": "1.0", **nothing, "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}, "model": model}


def model(rows: Sequence[Sequence[float]]) -> bytes:
    """ONNX is protocol buffers: a graph of one Gather."""
    numbers = b"".join(struct.pack("<f", number) for row in rows for number in row)
    table = whole(1, len(rows)) + whole(1, len(rows[0])) + whole(2, FLOAT) + part(8, b"table") + part(9, numbers)
    node = part(1, b"table") + part(1, b"input_ids") + part(2, b"out") + part(4, b"Gather")
    width = len(rows[0])
    graph = part(1, node) + part(2, b"tiny") + part(5, table)
    graph += part(11, value(b"input_ids", INT64, b"b", b"s")) + part(12, value(b"out", FLOAT, b"b", b"s", width))
    return whole(1, 8) + part(7, graph) + part(8, whole(2, 13))


def value(name: bytes, kind: int, *shape: bytes | int) -> bytes:
    sizes = [part(1, whole(1, size) if isinstance(size, int) else part(2, size)) for size in shape]
    return part(1, name) + part(2, part(1, whole(1, kind) + part(2, b"".join(sizes))))


def whole(field: int, number: int) -> bytes:
    return varint(field << 3) + varint(number)


def part(field: int, content: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(content)) + content


def varint(number: int) -> bytes:
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*made, number])
