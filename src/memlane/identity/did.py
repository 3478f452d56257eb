"""DID documents of the AT Protocol: the key an account signs with, its handle, and where its PDS is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import unquote

from memlane.errors import NotAllowedError, UnreachableError
from memlane.identity.web import Service, host_of, table_in

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
DID = re.compile(rf"did:plc:[a-z2-7]{{24}}|did:web:{_LABEL}(?:\.{_LABEL}){{0,9}}(?:%3A[0-9]{{1,5}})?")
HANDLE = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE)
_PLC = "did:plc:"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_LONGEST_KEY = 200  # characters
_PREFIXES: Mapping[bytes, str] = {b"\xe7\x01": "ES256K", b"\x80\x24": "ES256"}  # multicodec → algorithm of a JWT
_OLD_TYPES: Mapping[str, str] = {
    "EcdsaSecp256k1VerificationKey2019": "ES256K",
    "EcdsaSecp256r1VerificationKey2019": "ES256",
}
_NOT_FOUND = (404, 410)
_OK = 200


@dataclass(frozen=True, slots=True)
class ResolvedDid:
    """What a directory says about an account. `point`: the public key, as its curve writes points."""

    did: str
    handle: str
    pds: str
    algorithm: str
    point: bytes


def of_host(host: str, port: int | None) -> str:
    """The DID of a server by its address: AT Protocol knows ports on localhost only."""
    return f"did:web:{host}%3A{port}" if host == "localhost" and port else f"did:web:{host}"


def document_of(did: str, directory: str) -> ResolvedDid:
    """From the PLC directory, or from the host that a did:web names."""
    if not DID.fullmatch(did):
        raise NotAllowedError(f"{did!r} is no DID of an AT Protocol account", hint="did:plc:… or did:web:…")
    if did.startswith(_PLC):
        service, path = Service("the PLC directory", directory, host_of(directory)), f"/{did}"
    else:
        host = unquote(did.removeprefix("did:web:"))
        service, path = Service(f"the host of {did}", f"https://{host}"), "/.well-known/did.json"
    answer = service.get(path)
    if answer.status in _NOT_FOUND:
        raise NotAllowedError(f"{service.what} does not know {did}", hint="was the account deleted?")
    if answer.status != _OK:
        raise UnreachableError(f"{service.what} answers with status {answer.status}", hint="try again later")
    return understood(did, table_in(answer, service.what))


def understood(did: str, document: Mapping[str, object]) -> ResolvedDid:
    if document.get("id") != did:
        raise NotAllowedError(f"the document found for {did} is of another account")
    names = [str(one).removeprefix("at://") for one in _list(document, "alsoKnownAs") if str(one).startswith("at://")]
    services = [one for one in _tables(document, "service") if _named(one, did, "atproto_pds")]
    pds = str(services[0].get("serviceEndpoint", "")).rstrip("/") if services else ""
    keys = [one for one in _tables(document, "verificationMethod") if _named(one, did, "atproto")]
    if not keys:
        raise NotAllowedError(f"the document of {did} has no key to sign with", hint="was the account deactivated?")
    algorithm, point = _key(keys[0])
    return ResolvedDid(did, names[0] if names else "", pds, algorithm, point)


def _named(one: Mapping[str, object], did: str, name: str) -> bool:
    return one.get("id") in (f"#{name}", f"{did}#{name}")


def _key(method: Mapping[str, object]) -> tuple[str, bytes]:
    """Two ways to write one: with the curve in front of a compressed point, or in the type beside a whole point."""
    written, kind = str(method.get("publicKeyMultibase", "")), str(method.get("type", ""))
    try:
        raw = _from_base58(written.removeprefix("z")) if written.startswith("z") else b""
    except ValueError:
        raw = b""
    if kind == "Multikey" and raw[:2] in _PREFIXES:
        return _PREFIXES[raw[:2]], raw[2:]
    if kind in _OLD_TYPES and raw:
        return _OLD_TYPES[kind], raw
    raise NotAllowedError(f"the key of this account is of a kind that is not known here ({kind or 'none'})")


def _from_base58(text: str) -> bytes:
    if len(text) > _LONGEST_KEY:
        raise ValueError("too long for a key")
    number = 0
    for letter in text:
        number = number * 58 + _BASE58.index(letter)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def _list(document: Mapping[str, object], name: str) -> Sequence[object]:
    found = document.get(name)
    return cast(Sequence[object], found) if isinstance(found, list) else ()


def _tables(document: Mapping[str, object], name: str) -> Sequence[Mapping[str, object]]:
    return [cast(Mapping[str, object], one) for one in _list(document, name) if isinstance(one, dict)]
