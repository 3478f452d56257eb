"""Does a person's search cost what their own data costs? `python -m benchmarks.owners [--owners 1,50,200]`.

On a PostgreSQL started for it, ever more owners get as many Chunks each, with vectors. At each number of owners the
first and the newest of them ask the same questions, by words and by both: milliseconds, CPU of the asking process and
of the server, and rows that PostgreSQL touched for a question, from its own counters.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from benchmarks.asker import spread
from campaigns.postgres_server import Server
from memlane.domain import Chunk, Reader, RunFilter, RunSummary
from memlane.search import Mode, QuestionVector, SearchOptions, find
from memlane.storage.postgres import PostgresEngine, PostgresStorage

SEED = 11
MODEL, SIZE = "dice@256", 256
PER_RUN = 250  # Chunks
WORDS = 60  # of a Chunk
AT = datetime(2026, 1, 1, tzinfo=UTC)
TOUCHED = """SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint FROM pg_stat_user_tables
  WHERE schemaname LIKE 'lane%'"""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words as people use them: a few everywhere, most of them rare."""

    words: Sequence[str]
    weights: Sequence[float]

    def text(self, dice: random.Random, count: int) -> str:
        return " ".join(dice.choices(self.words, self.weights, k=count))


def vocabulary() -> Vocabulary:
    words = [f"{'kstpbdgm'[n % 8]}{'aeiou'[n % 5]}{n:x}" for n in range(20_000)]
    return Vocabulary(words, [1 / (n + 3) for n in range(len(words))])


def fill(server: Server, owner: str, chunks: int, every: Vocabulary) -> None:
    dice, numbers = random.Random(f"{SEED} {owner}"), np.random.default_rng(SEED)
    engine = PostgresEngine(server.url, owner=owner)
    fresh = engine.begin()
    for first in range(0, chunks, PER_RUN):
        run = f"r_{owner}_{first}"
        texts = [every.text(dice, WORDS) for _ in range(min(PER_RUN, chunks - first))]
        with fresh.transaction():
            fresh.runs.put(RunSummary(run, owner, "desk", "plain", run, 1, "/x", 1, started=AT, ended=AT))
            said = (Chunk(run, 1 + n // 8, 1 + n % 8, 0, "agent", AT, text) for n, text in enumerate(texts))
            fresh.chunks.replace(run, owner, 0, said)
    while waiting := fresh.vectors.waiting(MODEL, 4_096):
        fresh.vectors.put(MODEL, waiting, numbers.standard_normal((len(waiting), SIZE)).astype(np.float32))
    engine.swap(fresh)
    fresh.close()


# -- asking ------------------------------------------------------------------------------------------------------------


def asked(server: Server, owner: str, questions: Sequence[str], mode: Mode) -> dict[str, Any]:
    """A process's pool is closed before and after, so that all its sessions have told what they did."""
    vector = np.random.default_rng(SEED).standard_normal(SIZE).astype(np.float32)
    rows, used = touched(server), server_cpu(server)
    storage = PostgresEngine(server.url, owner=owner).open()
    took, cpu = list(answers(storage, owner, questions, QuestionVector(MODEL, vector), mode)), time.process_time()
    took, cpu = list(answers(storage, owner, questions, QuestionVector(MODEL, vector), mode)), time.process_time() - cpu
    storage.close()
    n = 2 * len(questions)
    return {
        **spread(took),
        "cpu_ms": round(cpu * 1000 / len(questions), 2),
        "server_cpu_ms": round((settled(server_cpu, server, used) - used) * 1000 / n, 2),
        "rows": round((settled(touched, server, rows) - rows) / n),
    }


def answers(
    storage: PostgresStorage, owner: str, questions: Sequence[str], vector: QuestionVector, mode: Mode
) -> Iterator[float]:
    for question in questions:
        began = time.perf_counter()
        find(question, RunFilter(), 10, Reader(owner), storage, vector, SearchOptions(mode))
        yield (time.perf_counter() - began) * 1000


def settled(read: Any, server: Server, before: float) -> float:
    """When sessions that have ended are counted and nothing more comes."""
    last = read(server)
    for _ in range(50):
        time.sleep(0.2)
        now = read(server)
        if now == last and now > before:
            break
        last = now
    return last


def touched(server: Server) -> float:
    with psycopg.connect(server.url) as raw:
        row = raw.execute(TOUCHED).fetchone()
    return float(row[0]) if row else 0.0


def server_cpu(server: Server) -> float:
    """Seconds of the sessions that have ended."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[13:15]) / os.sysconf("SC_CLK_TCK")


# -- all of it ---------------------------------------------------------------------------------------------------------


def measure(server: Server, counts: Sequence[int], chunks: int, n: int) -> dict[str, Any]:
    every, dice, found, there = vocabulary(), random.Random(SEED), dict[str, Any](), 0
    questions = [every.text(dice, words) for words in (2, 10) for _ in range(n)]
    for count in sorted(counts):
        for number in range(there, count):
            fill(server, f"o{number}", chunks, every)
        there = count
        found[str(count)] = {
            name: {mode.value: asked(server, owner, questions, mode) for mode in (Mode.WORDS, Mode.AUTO)}
            for name, owner in (("first", "o0"), ("newest", f"o{count - 1}"))
        }
    return found


def flatness(found: dict[str, Any]) -> dict[str, float]:
    """The most owners to the fewest, of both who ask together: rows and CPU do not depend on the machine's load."""
    fewest, most = (found[key] for key in (min(found, key=int), max(found, key=int)))

    def whole(part: dict[str, Any], figure: str) -> float:
        return sum(part[name]["auto"][figure] for name in ("first", "newest")) or 1.0

    return {figure: round(whole(most, figure) / whole(fewest, figure), 2) for figure in ("rows", "cpu_ms", "p50")}


def table(report: dict[str, Any]) -> str:
    rows = ["owners  who     mode        p50     p95  cpu ms  server cpu ms    rows"]
    for count, people in report["owners"].items():
        for who, modes in people.items():
            for mode, one in modes.items():
                rows.append(
                    f"{count:>6}  {who:<7} {mode:<7}{one['p50']:8.1f}{one['p95']:8.1f}{one['cpu_ms']:8.2f}"
                    f"{one['server_cpu_ms']:15.2f}{one['rows']:8}"
                )
    return "\n".join([*rows, f"most to fewest owners: {report['most_to_fewest']}"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.owners", description=__doc__)
    parser.add_argument("--owners", default="1,50,200", help="how many, ever more")
    parser.add_argument("--chunks", type=int, default=1_000, help="of each owner")
    parser.add_argument("--n", type=int, default=20, help="questions of two words, and as many of ten")
    parser.add_argument("--json", action="store_true", help="only the JSON object")
    parser.add_argument("--save", type=Path, help="write the object there too")
    given = parser.parse_args()
    server = Server()
    try:
        found = measure(server, [int(count) for count in given.owners.split(",")], given.chunks, given.n)
    finally:
        server.close()
    report = {
        "command": f"python -m benchmarks.owners --owners {given.owners} --chunks {given.chunks} --n {given.n}",
        "benchmark": "owners",
        "machine": {"cores": os.cpu_count(), "load": round(os.getloadavg()[0], 2)},
        "chunks_of_each": given.chunks,
        "most_to_fewest": flatness(found),
        "owners": found,
    }
    if not given.json:
        print(table(report))
    if given.save:
        given.save.write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
