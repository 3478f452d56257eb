"""All sample runs: an error and its recovery, a correction, a decision, a subagent, a planted token, two agents."""

from __future__ import annotations

from memlane.demo.ferry import FERRY_RUNS, planted_secret
from memlane.demo.postcards import POSTCARD_RUNS
from memlane.demo.sample import Sample
from memlane.demo.tides import TIDE_RUNS

RUNS: tuple[Sample, ...] = (*FERRY_RUNS, *TIDE_RUNS, *POSTCARD_RUNS)

__all__ = ["RUNS", "planted_secret"]
