"""OpenID Connect: an issuer's endpoints, the device flow from a command line, and its word checked by its keys."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from memlane.errors import NotAllowedError, UnreachableError
from memlane.identity.service_auth import CLOCKS, Proven
from memlane.identity.web import Service, host_of, table_in
from memlane.system.http_client import HttpAnswer, said_in

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
SCOPE = "openid"
LONGEST = 32 << 10  # characters of an id_token; some list hundreds of groups
FRESH = 600.0  # seconds since it was issued
USUAL_PAUSE = 5.0  # seconds, where the issuer names none
LONGEST_PAUSE = 30.0
LONGEST_WAIT = 900.0  # seconds for a person to approve
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
AGAIN = "lane join URL --oidc, again"
_OK, _BAD = 200, 400


@dataclass(frozen=True, slots=True)
class Issuer:
    """An issuer that its operator named, and what it says about itself."""

    url: str
    says: Mapping[str, object]

    def service(self, endpoint: str) -> Service:
        url = str(self.says.get(endpoint, ""))
        if not url:
            raise NotAllowedError(f"{self.url} has no {endpoint}", hint="does it allow the device flow?")
        return Service(f"the issuer {self.url}", url, host_of(self.url))


def issuer_at(url: str) -> Issuer:
    """It must call itself as it is called here: another name would be another issuer's word."""
    service = Service(f"the issuer {url}", url, host_of(url))
    says = service.document("/.well-known/openid-configuration")
    if says.get("issuer") != url:
        raise NotAllowedError(f"what answers at {url} calls itself {says.get('issuer')}", hint="identity.oidc.issuer")
    return Issuer(url, says)


# -- on a machine --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DevicePrompt:
    """What a person does in a browser, on any device."""

    page: str
    code: str
    whole: str  # the page with the code in its address; "" if there is none


def by_device(issuer: Issuer, client: str, show: Callable[[DevicePrompt], None], rest: Callable[[float], None]) -> str:
    """The id_token, once the person has approved; `rest` sleeps."""
    device = issuer.service("device_authorization_endpoint")
    asked = _well(device.post_form({"client_id": client, "scope": SCOPE}), device)
    show(DevicePrompt(*(str(asked.get(f"{name}", "")) for name in _PROMPT)))
    pause, until = _pause(asked.get("interval")), time.monotonic() + min(_seconds(asked), LONGEST_WAIT)
    fields = {"client_id": client, "grant_type": GRANT, "device_code": str(asked.get("device_code", ""))}
    service = issuer.service("token_endpoint")
    while time.monotonic() < until:
        answer = service.post_form(fields)
        if answer.status == _OK:
            return str(table_in(answer, service.what).get("id_token", ""))
        pause = _longer(answer, service, pause)
        rest(pause)
    raise NotAllowedError("this sign-in was not approved in time", hint=AGAIN)


_PROMPT = ("verification_uri", "user_code", "verification_uri_complete")


def _well(answer: HttpAnswer, service: Service) -> Mapping[str, object]:
    if answer.status != _OK:
        raise UnreachableError(f"{service.what} answers: {said_in(answer)}", hint="is the client id right?")
    return table_in(answer, service.what)


def _longer(answer: HttpAnswer, service: Service, pause: float) -> float:
    """The pause before the next question; raises what the issuer has decided."""
    said = str(table_in(answer, service.what).get("error", "")) if answer.status == _BAD else ""
    if said == "authorization_pending":
        return pause
    if said == "slow_down":
        return min(pause + USUAL_PAUSE, LONGEST_PAUSE)
    if said in ("access_denied", "expired_token"):
        raise NotAllowedError(f"{service.what} did not let you in ({said.replace('_', ' ')})", hint=AGAIN)
    raise UnreachableError(f"{service.what} answers: {said or said_in(answer)}", hint=AGAIN)


def _pause(given: object) -> float:
    return min(max(float(given), 0.1), LONGEST_PAUSE) if isinstance(given, int | float) else USUAL_PAUSE


def _seconds(asked: Mapping[str, object]) -> float:
    given = asked.get("expires_in")
    return float(given) if isinstance(given, int | float) else LONGEST_WAIT


# -- on Central ----------------------------------------------------------------------------------------------------


def proven_by_issuer(token: str, issuer: str, client: str, keys: Mapping[str, object], now: datetime) -> Proven:
    """`keys`: the issuer's own set, as it is now."""
    import jwt  # noqa: PLC0415 - of the extra `central`: only a sign-in needs it
    from jwt.exceptions import ExpiredSignatureError, InvalidAudienceError, InvalidIssuerError, PyJWTError  # noqa: PLC0415

    try:
        claims: Mapping[str, object] = jwt.decode(
            token,
            key=_key_of(token, keys),
            algorithms=list(ALGORITHMS),
            audience=client,
            issuer=issuer,
            leeway=CLOCKS,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
    except ExpiredSignatureError:
        raise NotAllowedError("this sign-in has expired", hint=AGAIN) from None
    except InvalidAudienceError:
        raise NotAllowedError("this sign-in is for another client of the issuer", hint=AGAIN) from None
    except InvalidIssuerError:
        raise NotAllowedError("this sign-in is of another issuer", hint=AGAIN) from None
    except (PyJWTError, ValueError):
        raise NotAllowedError("this sign-in is not signed by the issuer, or not complete", hint=AGAIN) from None
    return _proven(token, claims, client, now)


def _key_of(token: str, keys: Mapping[str, object]):
    """The one the token names. One of another kind than its algorithm verifies nothing: PyJWT compares them."""
    import jwt  # noqa: PLC0415
    from jwt.exceptions import PyJWTError  # noqa: PLC0415

    head: Mapping[str, object] = {}
    with suppress(PyJWTError, ValueError, RecursionError):
        head = jwt.get_unverified_header(token) if len(token) <= LONGEST else {}
    if head.get("alg") not in ALGORITHMS:
        raise NotAllowedError("this is no id_token, or it is signed in a way that is not accepted", hint=AGAIN)
    with suppress(PyJWTError, ValueError):
        known = jwt.PyJWKSet.from_dict(dict(keys)).keys
        named = [one for one in known if one.key_id == head.get("kid")] if head.get("kid") else known
        if len(named) == 1:
            return named[0]
    raise NotAllowedError("this sign-in is signed with a key that its issuer does not have (any more)", hint=AGAIN)


def _proven(token: str, claims: Mapping[str, object], client: str, now: datetime) -> Proven:
    issued, until, audience = float(str(claims["iat"])), float(str(claims["exp"])), claims["aud"]
    if isinstance(audience, list) and len(cast(Sequence[object], audience)) > 1 and claims.get("azp") != client:
        raise NotAllowedError("this sign-in is for another client of the issuer", hint=AGAIN)
    if now.timestamp() - issued > FRESH:
        raise NotAllowedError("this sign-in was made too long ago", hint=AGAIN)
    signed = hashlib.sha256(token.rpartition(".")[0].encode()).hexdigest()
    named = str(claims.get("preferred_username", ""))
    return Proven(
        str(claims["iss"]),
        str(claims["sub"]),
        signed,
        datetime.fromtimestamp(min(until, issued + FRESH) + CLOCKS, UTC),
        re.sub(r"[^\w.@-]", "", named)[:64],
        claims,
    )


def groups_in(proven: Proven, claim: str) -> frozenset[str]:
    """Names of the groups that the issuer says somebody is in."""
    given = proven.claims.get(claim)
    found = cast(Sequence[object], given) if isinstance(given, list) else ()
    return frozenset(one for one in found if isinstance(one, str) and one)
