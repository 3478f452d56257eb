"""Who is let in at Central: machines, by their tokens, each with its owner. Browsers have no pass here yet."""

from __future__ import annotations

from dataclasses import dataclass

from memlane.app.control import ControlBook, JoinedMachine
from memlane.domain.token import SHIPPER, kind_of
from memlane.surfaces.api.http import HttpRequest, RefusedError
from memlane.surfaces.api.rules import READ, SHIP, TokenHolder, token_in

CENTRAL, COMPUTER = "x-lane-central", "x-lane-computer"
AGAIN = "lane join URL, with a new code"


@dataclass(frozen=True, slots=True)
class CentralAddress:
    """`names` empty: whatever name the request has. No cookie opens anything here, so none can be misused."""

    control: ControlBook
    names: frozenset[str] = frozenset()

    @property
    def origins(self) -> frozenset[str]:
        return frozenset()

    def holder(self, asked: HttpRequest) -> TokenHolder | None:
        given = token_in(asked)
        machine = self.control.machines.holder(given)
        if machine is None:
            if given and not kind_of(given):
                raise RefusedError(401, "no-token", "this is no token of Lane: mistyped, or cut off", AGAIN)
            if meant := asked.headers.get(CENTRAL, ""):
                self._must_be(meant)
            return None
        self._must_be(asked.headers.get(CENTRAL, self.control.central))
        if machine.revoked:
            raise RefusedError(401, "revoked", f"{machine.title} was revoked on Central; what it sent is kept", AGAIN)
        self._must_be_there(machine, asked)
        rights = frozenset({SHIP}) if machine.kind == SHIPPER else frozenset({READ, SHIP})
        return TokenHolder(machine.owner, machine.name, machine.id, rights)

    def admits(self, asked: HttpRequest) -> bool:  # noqa: ARG002 - no browser has a pass here
        return False

    def _must_be(self, meant: str) -> None:
        if meant != self.control.central:
            raise RefusedError(
                421,
                "wrong-central",
                "this machine joined another Central, not this one",
                "lane leave, then lane join URL",
            )

    def _must_be_there(self, machine: JoinedMachine, asked: HttpRequest) -> None:
        """A token says which computer it was given to. Whoever steals one can say so too; a copied home cannot."""
        computer = asked.headers.get(COMPUTER, machine.computer)
        if machine.computer and computer != machine.computer:
            raise RefusedError(
                409,
                "copied-home",
                f"this home is a copy: its token was given to another computer ({machine.title})",
                "a second machine: lane leave --copy, then lane join URL --name NAME; the same one on a new computer: "
                "lane join URL, after lane machines revoke on Central",
            )
