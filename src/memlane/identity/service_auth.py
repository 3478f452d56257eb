"""What a PDS says about its account, checked by Central: against the account's own DID document and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import cast

from memlane.errors import NotAllowedError
from memlane.identity.did import DID, ResolvedDid
from memlane.identity.pds import JOIN

LONGEST = 4096  # characters of a token
AHEAD = 300.0  # seconds that it may be good for: PDSs give 60
CLOCKS = 30.0  # seconds that clocks may disagree
ALGORITHMS = frozenset({"ES256K", "ES256"})
AGAIN = "lane join URL --as HANDLE, again"


@dataclass(frozen=True, slots=True)
class Proven:
    """Who somebody is, as another service says. `word` tells this statement from every other; it is good once."""

    issuer: str
    subject: str
    word: str
    until: datetime
    name: str = ""  # as people see them there
    claims: Mapping[str, object] = field(default_factory=dict[str, object])


ATPROTO = "atproto"  # the issuer of every DID


def proven_by_pds(token: str, audience: str, now: datetime, document_of: Callable[[str], ResolvedDid]) -> Proven:
    """All that can be checked without asking anybody comes first."""
    import jwt  # noqa: PLC0415 - of the extra `central`: only a sign-in needs it
    from jwt.exceptions import PyJWTError  # noqa: PLC0415

    claims = _claims(token)
    did = str(claims.get("iss", ""))
    if not DID.fullmatch(did):
        raise NotAllowedError("this sign-in is not of an AT Protocol account", hint=AGAIN)
    if claims.get("aud") != audience:
        raise NotAllowedError(f"this sign-in is for another server ({claims.get('aud')})", hint=AGAIN)
    if claims.get("lxm") != JOIN:
        raise NotAllowedError("this sign-in is for something else than joining", hint=AGAIN)
    until, word = claims.get("exp"), claims.get("jti")
    if not isinstance(until, int | float) or not isinstance(word, str) or not word:
        raise NotAllowedError("this sign-in does not say when it ends, or has no name of its own", hint=AGAIN)
    if not -CLOCKS < until - now.timestamp() < AHEAD:
        raise NotAllowedError("this sign-in is too old, or not valid for minutes only", hint=AGAIN)
    document = document_of(did)
    try:
        jwt.decode(
            token,
            key=_public(document),
            algorithms=[document.algorithm],
            audience=audience,
            leeway=CLOCKS,
            options={"require": ["iss", "aud", "exp"]},
        )
    except (PyJWTError, ValueError):
        raise NotAllowedError(
            f"this sign-in is not signed with the key of {did}",
            hint="if the account has moved to another PDS, sign in there: lane join URL --as HANDLE",
        ) from None
    return Proven(ATPROTO, did, f"{did} {word}", datetime.fromtimestamp(until + CLOCKS, UTC), document.handle)


def _claims(token: str) -> Mapping[str, object]:
    import jwt  # noqa: PLC0415
    from jwt.exceptions import PyJWTError  # noqa: PLC0415

    with suppress(PyJWTError, ValueError, RecursionError):
        if len(token) <= LONGEST and jwt.get_unverified_header(token).get("alg") in ALGORITHMS:
            return cast(Mapping[str, object], jwt.decode(token, options={"verify_signature": False}))
    raise NotAllowedError("this is no sign-in of a PDS, or it is signed in a way that is not accepted", hint=AGAIN)


def _public(document: ResolvedDid):
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    curve = ec.SECP256K1() if document.algorithm == "ES256K" else ec.SECP256R1()
    return ec.EllipticCurvePublicKey.from_encoded_point(curve, document.point)
