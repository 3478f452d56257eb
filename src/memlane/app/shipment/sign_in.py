"""How this machine shows who its person is: the word of their own PDS, or of their company's OpenID issuer.

Passwords go to that service alone; Central gets its word, which is good once, for this Central, for minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

from memlane.config import Config
from memlane.errors import NotAllowedError
from memlane.identity.did import of_host
from memlane.identity.oidc import DevicePrompt, by_device, issuer_at
from memlane.identity.pds import pds_of, service_word
from memlane.identity.web import Service, host_of

Offer = Mapping[str, Mapping[str, str]]  # "atproto", "oidc": what Central takes
SignsIn = Callable[[str, Offer, Config], Mapping[str, str]]
WITH_CODE = "ask for a one-time code: lane join URL"


def sign_in_offer(said: object) -> Offer:
    found = cast(Mapping[str, object], said)
    return {name: cast(Mapping[str, str], one) for name, one in found.items() if isinstance(one, dict)}


@dataclass(frozen=True, slots=True)
class AtSignIn:
    """By an AT Protocol account. `pds`: where it is, if a person says so."""

    account: str
    password: Callable[[str], str]  # asks the person, once it is known where it goes
    pds: str = ""

    def __call__(self, url: str, offer: Offer, config: Config) -> Mapping[str, str]:
        if "atproto" not in offer:
            raise NotAllowedError(f"{url} takes no AT Protocol sign-ins", hint=WITH_CODE)
        audience = _name_of(url)
        if (said := offer["atproto"].get("audience", "")) != audience:  # a word for another server must not come here
            raise NotAllowedError(f"{url} calls itself {said}, and its address is {audience}", hint="use its own name")
        did, service = "", Service(f"the PDS at {self.pds}", self.pds, host_of(self.pds))
        if not self.pds:
            document, service = pds_of(self.account, config.text("identity.plc"))
            did = document.did
        account = did or self.account.removeprefix("@")
        word = service_word(service, account, self.password(service.url), audience)
        if did and word.did != did:
            raise NotAllowedError(f"{service.what} answers for {word.did}, not for {did}")
        return {"atproto": word.token}


def _name_of(url: str) -> str:
    parts = urlsplit(url)
    return of_host((parts.hostname or "").lower(), parts.port)


@dataclass(frozen=True, slots=True)
class OidcSignIn:
    """By the issuer that Central names; the person approves in a browser."""

    show: Callable[[str, DevicePrompt], None]  # with the issuer they are about to trust

    def __call__(self, url: str, offer: Offer, config: Config) -> Mapping[str, str]:  # noqa: ARG002 - no setting here
        if "oidc" not in offer:
            raise NotAllowedError(f"{url} takes no OpenID sign-ins", hint=WITH_CODE)
        named = offer["oidc"]
        issuer = issuer_at(str(named.get("issuer", "")))
        token = by_device(
            issuer, str(named.get("client", "")), lambda prompt: self.show(issuer.url, prompt), time.sleep
        )
        return {"oidc": token}
