"""`python -m training.decoder_parts MODEL.gguf TEXTS.json OUT [--layers 16]`: the teacher in parts that travel.

Writes a file for each of the first layers, the tokenizer, and the rows of the word table that the texts need (what is
read and what is said share one in this family). TEXTS
maps names to lists of texts. What GGUF keeps in 6 bits is rounded to 4.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

_CUT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
Array = NDArray[Any]


def tokenizer(reader: gguf.GGUFReader) -> Tokenizer:
    words: list[str] = reader.fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(pair.split(" ")) for pair in reader.fields["tokenizer.ggml.merges"].contents()]
    made = Tokenizer(models.BPE({word: n for n, word in enumerate(words)}, merges))
    made.normalizer = normalizers.NFC()
    cut = pre_tokenizers.Split(Regex(_CUT), "isolated")
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [cut, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    made.decoder = decoders.ByteLevel()
    return made


def needed(cut: Tokenizer, texts: Sequence[str]) -> list[int]:
    """Which rows of the word table the texts need."""
    return sorted({n for one in cut.encode_batch(list(texts)) for n in one.ids})


def layer(reader: gguf.GGUFReader, n: int) -> dict[str, Array]:
    out: dict[str, Array] = {}
    for tensor in reader.tensors:
        if not tensor.name.startswith(f"blk.{n}."):
            continue
        name = tensor.name.removeprefix(f"blk.{n}.").removesuffix(".weight")
        kind, data = tensor.tensor_type, tensor.data
        if kind is gguf.GGMLQuantizationType.Q6_K:
            whole = gguf.dequantize(data, kind)
            kind = gguf.GGMLQuantizationType.Q4_0
            data = gguf.quantize(whole, kind)
        out[name] = np.asarray(data)
        if data.dtype == np.uint8:
            out[f"{name}.kind"] = np.array(kind.name)
            out[f"{name}.shape"] = np.array(tensor.shape[::-1])
    return out


def words(reader: gguf.GGUFReader, rows: Sequence[int], name: str) -> dict[str, Array]:
    named = {tensor.name: tensor for tensor in reader.tensors}
    table = named[name]
    whole = gguf.dequantize(np.asarray(table.data)[list(rows)], table.tensor_type).astype(np.float32)
    scale = np.abs(whole).max(axis=1) / 127 + 1e-12
    numbers = np.round(whole / scale[:, None]).astype(np.int8)
    return {"numbers": numbers, "scale": scale, "norm": np.asarray(named["output_norm.weight"].data)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("model", "texts", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--layers", type=int, default=28)
    given = parser.parse_args()
    reader = gguf.GGUFReader(given.model)
    given.out.mkdir(parents=True, exist_ok=True)
    cut = tokenizer(reader)
    rows = needed(cut, [text for some in json.loads(given.texts.read_text()).values() for text in some])
    (given.out / "rows.json").write_text(json.dumps(rows))
    cut.save(str(given.out / "tokenizer.json"))
    for n, half in enumerate((rows[: len(rows) // 2], rows[len(rows) // 2 :])):
        np.savez(given.out / f"words-{n}.npz", **words(reader, half, "output.weight"))
    for n in range(given.layers):
        np.savez(given.out / f"layer-{n:02}.npz", **layer(reader, n))


if __name__ == "__main__":
    main()
