"""Can any bytes break a parser? `python -m campaigns.fuzz --n 1000000 [--agent NAME] [--seed S]`.

Every fixture of every Source, mutated; none may raise, none may take longer than a second.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path

from memlane.agents import SOURCES
from memlane.agents.conformance import fixtures, mutated

FIXTURES = Path(__file__).parents[1] / "tests" / "fixtures" / "transcripts"

SLOW = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--agent", default="")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    report = fuzz(asked.n, asked.agent, asked.seed)
    print(json.dumps(report))
    return 1 if report["raised"] or report["slow"] else 0


def fuzz(n: int, agent: str, seed: int) -> dict[str, object]:
    chance = random.Random(seed)
    wanted = [source for source in SOURCES if agent in ("", source.name)]
    known = [fixture for source in wanted for fixture in fixtures(source, FIXTURES / source.name)]
    if not known:
        raise SystemExit(f"no fixtures for {agent}: tests/fixtures/transcripts/{agent}/")
    tried, raised, slow = Counter[str](), list[str](), 0
    began = time.monotonic()
    for number in range(n):
        fixture = known[number % len(known)]
        data = mutated(fixture.data, chance)
        start = time.monotonic()
        try:
            fixture.read(data)
        except Exception as error:  # noqa: BLE001 - that is the question
            raised.append(f"{fixture}: {type(error).__name__}: {error}")
        slow += time.monotonic() - start > SLOW
        tried[fixture.source.name] += 1
    seconds = round(time.monotonic() - began, 1)
    return {"n": n, "seed": seed, "seconds": seconds, "tried": dict(tried), "raised": raised[:20], "slow": slow}


if __name__ == "__main__":
    raise SystemExit(main())
