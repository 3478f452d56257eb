"""What do we still believe? Proposals to merge, supersede, make exact, retire and fade Memories, and their checks."""

from memlane.dream.knowledge import DREAM, STANDING, Knowledge, Past, gather, past_of
from memlane.dream.lifecycle import connect, fade, graduate, stale, unwanted
from memlane.dream.nearness import Nearness, Pair
from memlane.dream.pairs import against, merged, twins
from memlane.dream.probes import ProbeAnswers, asked_again, asked_now
from memlane.dream.rewrites import exact
from memlane.dream.sieve import STANDS_OTHERWISE, Sieve, runs_away, sift

__all__ = [
    "DREAM",
    "STANDING",
    "STANDS_OTHERWISE",
    "Knowledge",
    "Nearness",
    "Pair",
    "Past",
    "ProbeAnswers",
    "Sieve",
    "against",
    "asked_again",
    "asked_now",
    "connect",
    "exact",
    "fade",
    "gather",
    "graduate",
    "merged",
    "past_of",
    "runs_away",
    "sift",
    "stale",
    "twins",
    "unwanted",
]
