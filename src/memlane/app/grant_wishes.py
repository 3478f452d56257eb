"""What an agent suggests to share: nothing is shared until the person says so, and their answer is kept.

Grants are Central's (`app/control/grants`): who asks here gives one, then writes the answer down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memlane import archive
from memlane.app.control import Grant, GrantType, Reading
from memlane.app.grant_plans import GrantPlans
from memlane.app.home import Home
from memlane.app.home.journal import AGENT, PERSON, ActLine, ActWriter, actor_of
from memlane.domain import derived_id
from memlane.domain.journal import SHARE_WISH
from memlane.errors import LaneError, NotFoundError, NotSetUpError, UsageError

if TYPE_CHECKING:
    from memlane.app.control import ControlBook
    from memlane.app.shipment import Shipment

MOST_WISHES = 20  # that wait for the person at one time


class WishAnswer(StrEnum):
    SHARED = "shared"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class GrantWish:
    """A grant that nobody has yet: suggested by which agent, when, and why."""

    id: str
    grant: Grant
    by: str
    at: datetime
    because: str = ""


class GrantWishes:
    def __init__(
        self, home: Home, writer: ActWriter, plans: GrantPlans, control: ControlBook, shipment: Shipment
    ) -> None:
        self._home, self._writer, self._plans = home, writer, plans
        self._control, self._shipment = control, shipment

    def propose(self, grant: Grant, by: str, because: str = "") -> GrantWish:
        """Kept until the person has answered it. The same again, while it waits, is the same wish."""
        if not self._control.is_central and self._shipment.member is None:
            raise NotSetUpError("there is nobody to share with: this home belongs to no Central", hint="lane join URL")
        mask = self._home.gate.mask
        if any(mask(said) != said for said in (grant.name, grant.whom)):
            raise UsageError("a name that looks like a secret is shared with nobody")
        wish = GrantWish(_id_of(grant), grant, by, self._home.clock(), mask(because))
        with self._home.lock.held():
            waiting = self._waiting()
            if wish.id not in waiting and len(waiting) >= MOST_WISHES:
                raise UsageError(f"{MOST_WISHES} suggestions wait for the user already", hint="lane shares")
            if wish.id not in waiting:
                self._writer.write([_line(wish, actor_of(by) if by else AGENT)])
        return wish

    def all(self) -> Sequence[GrantWish]:
        """Those that wait for the person, the newest first: what they would share is there, and not over yet."""
        now = self._home.clock()
        found = sorted(self._waiting().values(), key=lambda wish: wish.at, reverse=True)
        return [wish for wish in found if wish.grant.holds(now)]

    def one(self, given: str) -> GrantWish:
        found = [wish for wish in self.all() if len(given) >= 4 and wish.id.startswith(given)]
        if not found:
            raise NotFoundError(f"no suggestion {given!r} waits for you", hint="lane shares")
        if len(found) > 1:
            raise UsageError(f"{given} could be any of: {', '.join(wish.id for wish in found)}")
        return found[0]

    def answer(self, wish: GrantWish, answer: WishAnswer) -> str:
        """What the person said; the act, which takes a no back. What was shared is taken back as any share is."""
        return self._writer.write([_line(wish, PERSON, answer.value)])

    def _waiting(self) -> Mapping[str, GrantWish]:
        waiting = dict[str, GrantWish]()
        for line in archive.entries_with(self._home.disk, self._home.layout, f'"kind":"{SHARE_WISH}"'):
            if line.kind != SHARE_WISH:
                continue
            if line.data["answer"]:
                waiting.pop(line.id, None)
            elif (grant := self._grant(line.data)) is not None and line.id not in waiting:
                waiting[line.id] = GrantWish(line.id, grant, str(line.data["by"]), line.at, str(line.data["because"]))
        return waiting

    def _grant(self, data: Mapping[str, object]) -> Grant | None:
        """None: what it names is not there any more."""
        type_, name = GrantType(str(data["type"])), str(data["name"])
        try:
            title = self._plans.title(type_, name)
        except LaneError:
            return None
        whom, reading, until = str(data["whom"]), Reading(str(data["reading"])), str(data["until"])
        return Grant("", self._home.config.user, type_, name, title, whom, reading=reading, until=until)


def _id_of(grant: Grant) -> str:
    """Of all that would be given: what a person has looked at cannot become more before they say yes."""
    return derived_id("w", grant.type, grant.name, grant.whom, grant.reading, grant.until)


def _line(wish: GrantWish, actor: str, answer: str = "") -> ActLine:
    grant = wish.grant
    asked = {"type": grant.type.value, "name": grant.name, "whom": grant.whom, "reading": grant.reading.value}
    said = {"until": grant.until, "by": wish.by, "because": wish.because, "answer": answer}
    return ActLine(SHARE_WISH, wish.id, {**asked, **said}, actor)
