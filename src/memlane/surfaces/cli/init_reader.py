"""Who reads, asked once by `lane init`, after what is there was taken in: then the answer can say what it takes.

Without a terminal, or with --yes, nobody is asked and the built-in classifier goes on alone.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from memlane.errors import LaneError
from memlane.surfaces.cli.catch_setup import choose
from memlane.surfaces.cli.extractor_choice import ask
from memlane.surfaces.cli.frame import Screen

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.catch import ExtractorOffer

NOBODY = "Found no agent, local model or API key that could read your runs: the built-in classifier reads them."


def choose_reader(screen: Screen, wanted: ExtractorOffer | None, *, asks: bool) -> bool:
    """Whether a model reads from now on, and there was none before."""
    with screen.lane() as lane:
        offer = wanted if wanted is not None else _asked(screen, lane, asks=asks)
        if offer is None:
            return False
        try:
            choose(screen, lane, offer, {})
        except LaneError as error:  # everything else is set up
            screen.say(f"error: {error.message}")
            screen.say("The built-in classifier reads. Try again: lane catch setup")
            return False
    _told(screen, offer)
    return offer.reads


def _asked(screen: Screen, lane: Lane, *, asks: bool) -> ExtractorOffer | None:
    answered = screen.config.origins["catch.with"] != "default"
    if answered or not asks or screen.json or not (screen.terminal and sys.stdin.isatty()):
        return None
    offers = lane.catch.offers.here()
    screen.say("")
    if not any(offer.reads and not offer.lacks for offer in offers):
        screen.say(f"{NOBODY} Later: lane catch setup")
        return None
    return ask(screen, offers, lane.catch.offers.size())


def _told(screen: Screen, offer: ExtractorOffer) -> None:
    if screen.json:
        return
    if offer.reads:
        screen.say(f"{offer.title} reads your runs in the background now. See: lane status")
    else:
        screen.say("The built-in classifier reads your runs; nothing leaves this machine. Change: lane catch setup")
