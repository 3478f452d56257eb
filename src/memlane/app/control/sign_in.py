"""A proof by another service, exchanged for a one-time code: what it proves, and whether that person gets in.

The other service is asked here and nowhere else, and only at a sign-in: what follows needs it no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from importlib.util import find_spec

import msgspec

from memlane.app.control.codes import CodeBook, JoinCode
from memlane.app.control.groups import GroupBook
from memlane.app.control.identities import Identity, IdentityBook
from memlane.app.control.people import NAME, PersonBook, alike
from memlane.app.control.records import ControlRecords, Record
from memlane.config import Config
from memlane.domain.token import MACHINE
from memlane.errors import LaneError, NotAllowedError, NotSetUpError, UsageError
from memlane.identity import oidc
from memlane.identity.did import DID, document_of
from memlane.identity.pds import JOIN
from memlane.identity.service_auth import ATPROTO, Proven, proven_by_pds
from memlane.system.extra import install_line

HOLDS = timedelta(minutes=10)  # the machine that signs in uses it once its person has read the rules here


class SignInOffer(msgspec.Struct, frozen=True):
    """How somebody may sign in here."""

    audience: str = ""  # AT Protocol: whom the word of a PDS must be for, and for what
    method: str = JOIN
    issuer: str = ""  # OpenID Connect
    client: str = ""


class Asking(msgspec.Struct, frozen=True):
    """A machine with a word of another service. `user` is whose runs it has; `fresh`: it has none yet."""

    atproto: str = ""
    oidc: str = ""
    user: str = ""
    fresh: bool = False


class SignIn:
    def __init__(
        self,
        records: ControlRecords,
        people: PersonBook,
        groups: GroupBook,
        codes: CodeBook,
        identities: IdentityBook,
    ) -> None:
        self._records, self._people, self._groups = records, people, groups
        self._codes, self._identities = codes, identities

    @property
    def _config(self) -> Config:
        return self._records.home.config

    def offer(self) -> SignInOffer:
        issuer, client = self._config.text("identity.oidc.issuer"), self._config.text("identity.oidc.client")
        audience = self._config.text("identity.audience")
        return SignInOffer(audience, issuer=issuer if client else "", client=client if issuer else "")

    def code_for(self, asking: Asking) -> tuple[str, JoinCode]:
        """What was proven counts once; the code is used up by joining."""
        proven = self._proven(asking)
        with self._records.held():
            person, new = self._person(proven, asking)
            self._records.write_all([self._identities.used(proven, person), *new])
            self._mirror(proven, person)
        return self._codes.another(person, MACHINE, HOLDS)

    def link(self, person: str, subject: str) -> Identity:
        """`subject`: a DID, or what the OIDC issuer calls somebody."""
        if DID.fullmatch(subject):
            return self._identities.link(ATPROTO, subject, person)
        if subject.startswith("did:"):
            raise UsageError(f"{subject} is no DID of an AT Protocol account", hint="did:plc:… or did:web:…")
        if not (issuer := self.offer().issuer):
            raise NotSetUpError(
                f"{subject} is no DID, and this Central has no OpenID issuer",
                hint="lane config set identity.oidc.issuer URL, and identity.oidc.client",
            )
        return self._identities.link(issuer, subject, person)

    # -- what is proven ------------------------------------------------------------------------------------------------

    def _proven(self, asking: Asking) -> Proven:
        if find_spec("jwt") is None:  # of the extra `central`
            raise NotSetUpError("sign-ins need PyJWT", hint=install_line("central"))
        return self._by_pds(asking.atproto) if asking.atproto else self._by_issuer(asking.oidc)

    def _by_pds(self, token: str) -> Proven:
        audience, directory = self.offer().audience, self._config.text("identity.plc")
        if not audience:
            raise NotAllowedError("this Central takes no AT Protocol sign-ins", hint="ask for a code: lane join URL")
        return proven_by_pds(token, audience, self._records.now(), lambda did: document_of(did, directory))

    def _by_issuer(self, token: str) -> Proven:
        offer, settings = self.offer(), self._config
        if not offer.issuer:
            raise NotAllowedError("this Central takes no OpenID sign-ins", hint="ask for a code: lane join URL")
        keys = oidc.issuer_at(offer.issuer).service("jwks_uri").document()
        proven = oidc.proven_by_issuer(token, offer.issuer, offer.client, keys, self._records.now())
        wanted = settings.text("identity.oidc.group")
        if wanted and wanted not in self._groups_of(proven):
            raise NotAllowedError(f"{proven.name or proven.subject} is not in {wanted}, which may sign in here")
        return proven

    # -- whether they get in -------------------------------------------------------------------------------------------

    def _person(self, proven: Proven, asking: Asking) -> tuple[str, Sequence[Record]]:
        """Who that is here, and the records of somebody new."""
        if person := self._identities.person_of(proven.issuer, proven.subject):
            return self._people.here(person).name, ()
        everyone = self._config.text("identity.oidc.admit") == "everyone"
        if proven.issuer != self.offer().issuer or not everyone:
            raise NotAllowedError(
                f"{proven.subject} is linked to nobody here",
                hint=f"an admin of this Central can do that: lane people link NAME {proven.subject}",
            )
        name = self._name_for(proven, asking)
        return name, [
            *self._people.made(name),
            *self._identities.linked(proven.issuer, proven.subject, name, proven.name),
        ]

    def _mirror(self, proven: Proven, person: str) -> None:
        """The groups that are kept as they are at the issuer. What changes there counts from the next sign-in on."""
        if proven.issuer != self.offer().issuer:
            return
        theirs = self._groups_of(proven)
        for name in self._config.names("identity.oidc.mirror"):
            there, here = name in theirs, person in self._groups.members(name)
            if there and not here:
                self._groups.add(name, [person], proven.issuer)
            elif here and not there:
                self._groups.remove(name, [person], proven.issuer)

    def _groups_of(self, proven: Proven) -> frozenset[str]:
        return oidc.groups_in(proven, self._config.text("identity.oidc.groups"))

    def _name_for(self, proven: Proven, asking: Asking) -> str:
        """A home with runs keeps its user; a fresh one takes the issuer's name for them. Nobody gets a name that was
        ever taken: what has the same name elsewhere may be somebody else, and what was kept here is not theirs."""
        name = proven.name if asking.fresh else asking.user
        if not NAME.fullmatch(name):
            raise LaneError(
                f"the issuer calls you {name!r}, which cannot be a name here", hint="ask an admin to link you"
            )
        if alike(name) in self._taken():
            raise NotAllowedError(
                f"there is a {name} here already, and nothing says that it is you",
                hint=f"an admin of this Central can do that: lane people link {name} {proven.subject}",
            )
        return name

    def _taken(self) -> frozenset[str]:
        """The operator's, whose home this is, before their record is made too; those who left may come back."""
        people = (one.name for one in self._people.all())
        groups = (one.name for one in self._groups.all())
        return frozenset(alike(name) for name in (self._config.user, *people, *groups))
