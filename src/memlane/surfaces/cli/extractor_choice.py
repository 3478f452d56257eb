"""The screen that asks who reads: each way that can be had here, what it takes, what leaves the machine, one key.

`lane init` and `lane catch setup` show the same one. Nothing is asked of anybody else, and nothing is saved here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.keyboard import Keyboard, key_by_key
from memlane.surfaces.cli.text import lasted, many, wrapped

if TYPE_CHECKING:
    from memlane.app.catch import ExtractorOffer, ReadingSize

KEYS = "123456789abcdef"
ENTER = "<enter>"
INDENT = 5
TITLE = "Who reads your runs for memories?"
WHY = (
    "The built-in classifier keeps only what is plainest. A language model that reads the same passages keeps far more."
    " Secrets are masked before anything is read."
)


def ask(screen: Screen, offers: Sequence[ExtractorOffer], size: ReadingSize) -> ExtractorOffer | None:
    """The one whose key was pressed; None where they turned away. Enter takes the first, and the screen says so."""
    for line in shown(offers, size):
        for part in wrapped(line, screen.columns) if screen.terminal else [line]:
            screen.say(part)
    choices = dict(zip(KEYS, offers, strict=False))
    first = offers[0]
    with key_by_key():
        keys = " or ".join(_span(len(choices)))
        screen.say(f"\nPress {keys}.  Enter: 1, {first.title}.  Escape: ask me another time.")
        keyboard = Keyboard()
        while key := keyboard.one_of({*choices, ENTER}):
            chosen = first if key == ENTER else choices[key]
            if not chosen.lacks:
                return chosen
            screen.say(f"{chosen.title}: {chosen.lacks}")
    return None


def _span(count: int) -> Sequence[str]:
    return [KEYS[0]] if count == 1 else [f"{KEYS[0]} to {KEYS[count - 1]}"] if count > 2 else [KEYS[0], KEYS[1]]


def shown(offers: Sequence[ExtractorOffer], size: ReadingSize) -> Iterator[str]:
    yield TITLE
    yield ""
    yield WHY
    yield ""
    yield f"To read: {_about(size.windows, 'passage')} now, {_about(size.a_day, 'passage')} on a usual day."
    yield ""
    for key, offer in zip(KEYS, offers, strict=False):
        paid = f" ({offer.paid_by})" if offer.paid_by else ""
        yield f"  {key}  {offer.title}{paid}{'   recommended' if offer is offers[0] and offer.reads else ''}"
        yield from (" " * INDENT + line for line in _about_offer(offer, size))
    yield ""
    yield (
        f"Daily limit: {size.caps.asks} questions and ${size.caps.dollars:.2f}. Reading goes on in the background, the"
        " most promising runs first, and stops at the limit or when the plan's own limit is reached."
    )
    yield "Pause: lane catch pause.   Leave a project out: lane catch skip.   Change: lane catch setup."


def _about_offer(offer: ExtractorOffer, size: ReadingSize) -> Iterator[str]:
    if offer.lacks:
        yield offer.lacks
        return
    if not offer.reads:
        yield "no model, no cost; nothing leaves this machine"
        return
    now, day = size.windows, size.a_day
    days = math.ceil(size.days(offer))
    limit = f", over {days} days with the daily limit" if days > 1 else ""
    took = f"{tokens(size.tokens(offer, now))}, {lasted(size.seconds(offer, now))}"
    yield f"now: about {took}, {_money(offer, size, now)}{limit}"
    yield f"a day: about {tokens(size.tokens(offer, day))}, {_money(offer, size, day)}"
    if offer.company:
        yield f"masked passages go to {offer.company} through {offer.through}; nothing else leaves this machine"
    else:
        yield f"asked at {offer.through}; nothing leaves this machine"


def _money(offer: ExtractorOffer, size: ReadingSize, windows: float) -> str:
    plan = offer.paid_by.startswith("your ")
    cost = size.cost(offer, windows)
    if cost is None:
        return "from your plan" if plan else "price unknown"
    if not offer.company:
        return "no money"
    worth = "under $0.01" if cost < 0.01 else f"${cost:.2f}"
    return f"{worth} at list prices, from your plan" if plan else worth


def _about(count: float, what: str) -> str:
    return f"about {many(max(1, round(count)), what)}" if count else f"no {what}"


def tokens(count: float) -> str:
    if count >= 1_000_000:
        return f"{count / 1_000_000:.1f} M tokens"
    return f"{count / 1000:.0f} k tokens" if count >= 1000 else f"{count:.0f} tokens"
