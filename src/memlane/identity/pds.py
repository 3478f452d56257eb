"""A machine at its person's own PDS: an app password becomes a word of the PDS for one Central, good for a minute.

The app password goes to the PDS and nowhere else. Central is asked nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from memlane.errors import LaneError, NotAllowedError, NotFoundError, UnreachableError, UsageError
from memlane.identity.did import DID, HANDLE, ResolvedDid, document_of
from memlane.identity.web import Service, host_of, table_in
from memlane.system.http_client import HttpAnswer, said_in

JOIN = "dev.memlane.central.join"  # what Central is asked for, as AT Protocol names methods
APP_PASSWORD = re.compile(r"[a-z0-9]{4}(?:-[a-z0-9]{4}){3}")
_WRONG = (400, 401)
_OK = 200


@dataclass(frozen=True, slots=True)
class ServiceWord:
    """A PDS's signed word that it speaks for an account."""

    did: str
    token: str


def service_word(pds: Service, account: str, password: str, audience: str) -> ServiceWord:
    """`account`: handle or DID. The session ends again at once."""
    if not APP_PASSWORD.fullmatch(password):
        raise UsageError(
            "this is no app password: they look like xxxx-xxxx-xxxx-xxxx",
            hint="make one for this machine at your PDS (Settings, App passwords); never type your main password here",
        )
    answer = pds.post("/xrpc/com.atproto.server.createSession", {"identifier": account, "password": password})
    if answer.status in _WRONG:
        raise NotAllowedError(
            f"{pds.what} does not accept {account} with this app password",
            hint="was it revoked there, did the handle change, or is it another account's?",
        )
    session = _well(answer, pds)
    access = {"Authorization": f"Bearer {session.get('accessJwt', '')}"}
    try:
        if session.get("active") is False:
            raise NotAllowedError(f"{account} is not active at {pds.what}", hint="has it moved? sign in at its new PDS")
        query = urlencode({"aud": audience, "lxm": JOIN})
        said = _well(pds.get(f"/xrpc/com.atproto.server.getServiceAuth?{query}", access), pds)
        return ServiceWord(str(session.get("did", "")), str(said.get("token", "")))
    finally:
        with suppress(LaneError):
            refresh = {"Authorization": f"Bearer {session.get('refreshJwt', '')}"}
            pds.post("/xrpc/com.atproto.server.deleteSession", {}, refresh)


def _well(answer: HttpAnswer, pds: Service) -> Mapping[str, object]:
    if answer.status != _OK:
        raise UnreachableError(f"{pds.what} answers: {said_in(answer)}", hint="try again later")
    return table_in(answer, pds.what)


def pds_of(account: str, directory: str) -> tuple[ResolvedDid, Service]:
    """The account's document and its PDS. A handle must name the DID, and the DID's document the handle."""
    did = account if account.startswith("did:") else _did_of(account.removeprefix("@"))
    document = document_of(did, directory)
    if did != account and document.handle.lower() != account.removeprefix("@").lower():
        raise NotAllowedError(f"{did} does not call itself {account} (but {document.handle or 'nothing'})")
    if not document.pds:
        raise NotFoundError(f"the document of {did} names no PDS", hint="lane join URL --as HANDLE --pds URL")
    return document, Service(f"the PDS at {document.pds}", document.pds, host_of(directory))


def _did_of(handle: str) -> str:
    if not HANDLE.fullmatch(handle):
        raise UsageError(f"{handle!r} is no handle", hint="alice.example.org, or did:plc:…")
    service = Service(f"the host of @{handle}", f"https://{handle}")
    hint = "lane join URL --as HANDLE --pds URL asks your PDS instead"
    try:
        answer = service.get("/.well-known/atproto-did")
    except LaneError as error:
        raise type(error)(error.message, hint=hint) from None
    did = answer.body.decode("utf-8", "replace").strip()
    if answer.status != _OK or not DID.fullmatch(did):
        raise NotFoundError(f"@{handle} is not known at its host", hint=hint)
    return did
