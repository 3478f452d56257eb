"""What do we still believe? It proposes to merge, supersede, make exact, retire, restore and fade Memories."""

from memlane.dream.knowledge import DREAM, STANDING, Knowledge, Past, Retirement, gather, past_of
from memlane.dream.lifecycle import connect, fade, graduate, restored, stale, unwanted
from memlane.dream.nearness import Nearness, Pair
from memlane.dream.pairs import against, merged, twins
from memlane.dream.probes import ProbeAnswers, asked_again, asked_now
from memlane.dream.rewrites import exact
from memlane.dream.sieve import CHANGED_SINCE, Sieve, runs_away, sift

__all__ = [
    "CHANGED_SINCE",
    "DREAM",
    "STANDING",
    "Knowledge",
    "Nearness",
    "Pair",
    "Past",
    "ProbeAnswers",
    "Retirement",
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
    "restored",
    "runs_away",
    "sift",
    "stale",
    "twins",
    "unwanted",
]
