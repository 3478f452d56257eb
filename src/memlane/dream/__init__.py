"""What do we still believe? Proposals to merge, supersede, make exact, retire and fade Memories, and their checks."""

from memlane.dream.again import Asked, asked_again, asked_now
from memlane.dream.against import against
from memlane.dream.check import STANDS_OTHERWISE, Sifted, runs_away, sift
from memlane.dream.connect import connect
from memlane.dream.exact import exact
from memlane.dream.fade import fade, unwanted
from memlane.dream.gather import DREAM, STANDING, Gathered, Past, gather, past_of
from memlane.dream.graduate import graduate
from memlane.dream.merged import merged
from memlane.dream.near import Nearness, Pair
from memlane.dream.stale import stale
from memlane.dream.twins import twins

__all__ = [
    "DREAM",
    "STANDING",
    "STANDS_OTHERWISE",
    "Asked",
    "Gathered",
    "Nearness",
    "Pair",
    "Past",
    "Sifted",
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
