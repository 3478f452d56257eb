"""`python -m benchmarks.embed [--n 2000] [--json] [--save FILE]`: what does each installed model cost?

Every model in a process of its own: milliseconds to have it (libraries included), for a question of ten words, texts a
second of some 200 words each, its bytes on disk and the most memory the process ever had. The second look behind the
encoder: milliseconds for five notes of 10 and of 40 words, read before (kept) or not. No judgement of how good they
are: that is `benchmarks.longmemeval`, `benchmarks.known_item` and `benchmarks.recall`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from campaigns.report import machine
from memlane.embed import EmbedderError, EmbedderSpec, embedder, second_look
from memlane.embed.models import ENCODER_WEIGHTS, LOOK_WEIGHTS

WORDS = "ferry ledger parser schema harbour queue beacon invoice tariff kiosk restore backup merge branch signing key"
LENGTH = 200  # words of a text
QUESTION = "how did we restore the ledger from last night's backup?"
SECONDS = 5.0  # a slow model is asked for as long, not for as many
SEED = 7
NOTES = 5  # of one second look
NOTE_LENGTHS = (10, 40)  # words
TRIED = 30  # looks
FIVES = range(0, NOTES * TRIED, NOTES)
SIZES = {"static": ENCODER_WEIGHTS.parent.parent / "wordllama-l2.table", "tuned": ENCODER_WEIGHTS}
AS_THE_PRODUCT = {"OPENBLAS_NUM_THREADS": "1"}  # what `memlane.config` sets before anybody loads numpy


def texts(n: int) -> list[str]:
    """Words somebody might write, one in five of them seen nowhere else: names, numbers, identifiers."""
    dice, words = random.Random(SEED), WORDS.split()

    def word() -> str:
        return dice.choice(words) if dice.random() < 0.8 else f"{dice.choice(words)}_{dice.randrange(10**6):x}()"

    return [" ".join(word() for _ in range(LENGTH)) for _ in range(n)]


def one(spec: EmbedderSpec, n: int) -> dict[str, Any]:
    began, busy = time.perf_counter(), time.process_time()
    model = embedder(spec, {})
    loaded, busy = time.perf_counter(), time.process_time() - busy
    model.query(QUESTION)
    first = time.perf_counter()
    questions = [timed(lambda: model.query(QUESTION)) for _ in range(50)]
    given, done = texts(n), 0
    start, cpu = time.perf_counter(), time.process_time()
    while done < n and time.perf_counter() < start + SECONDS:
        model.passages(given[done : done + 8])
        done += len(given[done : done + 8])
    return {
        "tag": model.tag,
        "load_ms": round((loaded - began) * 1000, 1),
        "load_cpu_ms": round(busy * 1000, 1),
        "first_question_ms": round((first - loaded) * 1000, 2),
        "question_ms": round(sorted(questions)[25] * 1000, 3),
        "texts_per_s": round(done / (time.perf_counter() - start), 1),
        "texts_per_cpu_s": round(done / (time.process_time() - cpu), 1),
        "size_mb": round(SIZES[spec.model].stat().st_size / 1e6, 1) if spec.model in SIZES else None,
        "peak_mb": peak(),
    }


def second(path: Path | None) -> dict[str, Any]:
    """The second look that ships, or the one in this file. The encoder it reads on from is there already."""
    encoder = embedder(EmbedderSpec("tuned"), {})
    before, began = peak(), time.perf_counter()
    look = opened(path, encoder) if path else second_look()
    found: dict[str, Any] = {
        "tag": look.tag,
        "size_mb": round((path or LOOK_WEIGHTS).stat().st_size / 1e6, 1),
        "load_ms": round((time.perf_counter() - began) * 1000, 1),
    }
    for words in NOTE_LENGTHS:
        cut = [" ".join(text.split()[:words]) for text in texts(NOTES * TRIED)]
        for kind in ("not_kept", "kept"):
            busy = time.thread_time()
            took = [timed(lambda at=at, cut=cut: look.log_odds(QUESTION, cut[at : at + NOTES])) for at in FIVES]
            found[f"{kind}_{words}_words_ms"] = round(sorted(took)[TRIED // 2] * 1000, 1)
            found[f"{kind}_{words}_words_cpu_ms"] = round((time.thread_time() - busy) / TRIED * 1000, 1)
    return found | {"kept_mb": round(look.kept.bytes / 1e6, 1), "more_mb": peak() - before}


def opened(path: Path, encoder: Any) -> Any:
    from memlane.embed.encoder import SecondLook  # noqa: PLC0415 - what it takes to load it is measured

    return SecondLook(encoder, path, hashlib.sha256(path.read_bytes()).hexdigest())


def peak() -> int:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def apart(spec: EmbedderSpec, n: int) -> dict[str, Any]:
    """In a process of its own, so that nothing is loaded already and its memory is its own."""
    command = [sys.executable, "-m", "benchmarks.embed", "--n", str(n), "--one", spec.model, spec.folder]
    return said_by(command)


def said_by(command: list[str]) -> dict[str, Any]:
    environment = {**os.environ, **AS_THE_PRODUCT}
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


def looked(path: Path | None) -> dict[str, Any]:
    return said_by([sys.executable, "-m", "benchmarks.embed", "--second", str(path or "")])


def specs(folders: list[Path]) -> list[EmbedderSpec]:
    return [
        EmbedderSpec("static"),
        EmbedderSpec("tuned"),
        EmbedderSpec("bge-small"),
        *(EmbedderSpec("onnx", folder=str(folder)) for folder in folders),
    ]


def measure(n: int, folders: list[Path], look: Path | None) -> dict[str, Any]:
    before, models = machine(), [apart(spec, n) for spec in specs(folders)]
    return {"benchmark": "embed", "n": n, "machine": before, "models": models, "second_look": looked(look)}


def table(found: Mapping[str, Any]) -> str:
    rows = [
        "model                            load ms  of CPU  first ms  question ms   texts/s  per CPU s   peak MB  MB"
    ]
    for one in found["models"]:
        if "missing" in one:
            rows.append(f"{one['model']:<30}   {one['missing']}")
            continue
        rows.append(
            f"{one['tag']:<30} {one['load_ms']:9.1f} {one['load_cpu_ms']:7.1f} {one['first_question_ms']:9.2f}"
            f" {one['question_ms']:12.3f}"
            f" {one['texts_per_s']:9.0f} {one['texts_per_cpu_s']:10.0f} {one['peak_mb']:9} {one['size_mb'] or ''}"
        )
    return "\n".join([*rows, "", *(f"second look, {name}: {value}" for name, value in found["second_look"].items())])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embed", description=__doc__)
    parser.add_argument("--n", type=int, default=2000, help="texts")
    parser.add_argument("--folder", type=Path, action="append", default=[], help="an ONNX model too; may be repeated")
    parser.add_argument("--look", type=Path, help="a packed second look, if not the one that ships")
    parser.add_argument("--json", action="store_true", help="only the JSON object")
    parser.add_argument("--save", type=Path, help="write the object there too")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--second", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.second is not None:
        print(json.dumps(second(Path(options.second) if options.second else None)))
        return
    if options.one:
        spec = EmbedderSpec(options.one[0], folder=options.one[1])
        try:
            print(json.dumps(one(spec, options.n)))
        except EmbedderError as error:
            print(json.dumps({"model": spec.model, "missing": error.message}))
        return
    found = {
        "command": f"python -m benchmarks.embed --n {options.n}",
        **measure(options.n, options.folder, options.look),
    }
    if not options.json:
        print(table(found))
    if options.save:
        options.save.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
