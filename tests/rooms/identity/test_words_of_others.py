"""What other services say about somebody, made with real keys: what is believed, and what is refused in which words."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from memlane.errors import LaneError, NotAllowedError, UnreachableError
from memlane.identity.did import ResolvedDid, document_of, of_host, understood
from memlane.identity.oidc import groups_in, proven_by_issuer
from memlane.identity.pds import JOIN
from memlane.identity.service_auth import proven_by_pds
from memlane.identity.web import Service

DID = "did:plc:" + "a" * 24
US = "did:web:lane.example.org"
ISSUER = "https://id.example.org"
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
K256, P256 = ec.generate_private_key(ec.SECP256K1()), ec.generate_private_key(ec.SECP256R1())
RSA, OTHER_RSA = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))


def base58(raw: bytes) -> str:
    number, text = int.from_bytes(raw, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = BASE58[digit] + text
    return "z" + text


def point(key: ec.EllipticCurvePrivateKey, *, compressed: bool) -> bytes:
    form = serialization.PublicFormat
    how = form.CompressedPoint if compressed else form.UncompressedPoint
    return key.public_key().public_bytes(serialization.Encoding.X962, how)


def document(kind: str, multibase: str) -> dict[str, object]:
    method = {"id": f"{DID}#atproto", "type": kind, "controller": DID, "publicKeyMultibase": multibase}
    return {"id": DID, "alsoKnownAs": ["at://noor.example.org"], "verificationMethod": [method], "service": []}


OLD = understood(DID, document("EcdsaSecp256k1VerificationKey2019", base58(point(K256, compressed=False))))
NEW = understood(DID, document("Multikey", base58(b"\xe7\x01" + point(K256, compressed=True))))
NEW_P256 = understood(DID, document("Multikey", base58(b"\x80\x24" + point(P256, compressed=True))))


def service_auth(key: ec.EllipticCurvePrivateKey = K256, algorithm: str = "ES256K", **claims: object) -> str:
    now = int(time.time())
    usual = {"iss": DID, "aud": US, "lxm": JOIN, "iat": now, "exp": now + 60, "jti": "a1"}
    return jwt.encode({name: one for name, one in {**usual, **claims}.items() if one is not None}, key, algorithm)


def checked(token: str, found: ResolvedDid = OLD) -> str:
    return proven_by_pds(token, US, datetime.now(UTC), lambda _did: found).subject


def test_every_way_to_write_a_key_is_understood() -> None:
    assert (checked(service_auth(), OLD), checked(service_auth(), NEW)) == (DID, DID)
    assert checked(service_auth(P256, "ES256"), NEW_P256) == DID


@pytest.mark.parametrize(
    ("token", "words"),
    [
        (lambda: service_auth(aud="did:web:other.example.org"), "another server"),
        (lambda: service_auth(aud=[US, "did:web:other.example.org"]), "another server"),
        (lambda: service_auth(lxm="com.atproto.server.createAccount"), "something else"),
        (lambda: service_auth(lxm=None), "something else"),
        (lambda: service_auth(exp=int(time.time()) - 90), "too old"),
        (lambda: service_auth(exp=int(time.time()) + 3600), "too old"),
        (lambda: service_auth(exp=None), "when it ends"),
        (lambda: service_auth(jti=None), "no name of its own"),
        (lambda: service_auth(iss="https://evil.example"), "not of an AT Protocol account"),
        (lambda: service_auth(iss=f"{DID}#other"), "not of an AT Protocol account"),
        (lambda: service_auth(ec.generate_private_key(ec.SECP256K1())), "not signed with the key"),
        (lambda: service_auth(P256, "ES256"), "not signed with the key"),
        (lambda: jwt.encode({"iss": DID}, None, "none"), "no sign-in of a PDS"),
        (lambda: jwt.encode({"iss": DID}, "x" * 32, "HS256"), "no sign-in of a PDS"),
    ],
)
def test_a_word_that_does_not_fit_is_refused(token: Callable[[], str], words: str) -> None:
    with pytest.raises(NotAllowedError, match=words):
        checked(token())


@pytest.mark.parametrize(
    "broken",
    [
        {"id": "did:plc:" + "b" * 24},
        {"verificationMethod": []},
        {"verificationMethod": "x"},
        {"verificationMethod": [{"id": "#atproto", "type": "Multikey", "publicKeyMultibase": "z0OIl"}]},
        {"verificationMethod": [{"id": "#atproto", "type": "Multikey", "publicKeyMultibase": "z" + "2" * 100_000}]},
        {"verificationMethod": [{"id": "#atproto", "type": "Ed25519VerificationKey2020", "publicKeyMultibase": "z2"}]},
    ],
)
def test_a_document_without_a_key_to_check_with_opens_nothing(broken: dict[str, object]) -> None:
    with pytest.raises(NotAllowedError):
        understood(DID, {**document("Multikey", base58(b"\xe7\x01" + point(K256, compressed=True))), **broken})


def test_a_point_that_is_on_no_curve_is_refused() -> None:
    with pytest.raises(NotAllowedError, match="not signed with the key"):
        checked(service_auth(), ResolvedDid(DID, "", "", "ES256K", b"\x02" + b"\xff" * 32))


def test_the_name_of_a_central_is_its_host() -> None:
    assert of_host("lane.example.org", None) == US
    assert of_host("lane.example.org", 8443) == US  # AT Protocol knows no ports
    assert of_host("localhost", 8788) == "did:web:localhost%3A8788"


# -- OpenID Connect ------------------------------------------------------------------------------------------------


def keys(**more: object) -> dict[str, object]:
    made = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(RSA.public_key()))
    return {"keys": [{**made, "kid": "one", "alg": "RS256", "use": "sig", **more}]}


def id_token(key: object = RSA, algorithm: str = "RS256", kid: str = "one", **claims: object) -> str:
    now = int(time.time())
    usual = {"iss": ISSUER, "aud": "lane", "sub": "u-1", "iat": now, "exp": now + 600, "groups": ["b", "a", 7]}
    said = {name: one for name, one in {**usual, **claims}.items() if one is not None}
    return jwt.encode(said, key, algorithm, headers={"kid": kid})  # type: ignore[arg-type]


def test_the_word_of_an_issuer_names_somebody_and_their_groups() -> None:
    proven = proven_by_issuer(id_token(preferred_username="noor k<b>"), ISSUER, "lane", keys(), datetime.now(UTC))
    assert (proven.issuer, proven.subject, proven.name, groups_in(proven, "groups")) == (
        ISSUER,
        "u-1",
        "noorkb",
        {"a", "b"},
    )


@pytest.mark.parametrize(
    ("token", "words"),
    [
        (lambda: id_token(exp=int(time.time()) - 60, iat=int(time.time()) - 120), "expired"),
        (lambda: id_token(iat=int(time.time()) - 3600), "too long ago"),
        (lambda: id_token(aud="another"), "another client"),
        (lambda: id_token(aud=["lane", "another"]), "another client"),
        (lambda: id_token(iss="https://evil.example"), "another issuer"),
        (lambda: id_token(sub=None), "not complete"),
        (lambda: id_token(iat=None), "not complete"),
        (lambda: id_token(OTHER_RSA), "not signed by the issuer"),
        (lambda: id_token(kid="two"), "does not have"),
        (lambda: id_token(None, "none"), "not accepted"),
        (lambda: id_token(str(keys()["keys"]), "HS256"), "not accepted"),
        (lambda: id_token(P256, "ES256"), "not signed by the issuer"),
        (lambda: "x" * 100_000, "not accepted"),
    ],
)
def test_an_id_token_that_does_not_fit_is_refused(token: Callable[[], str], words: str) -> None:
    with pytest.raises(NotAllowedError, match=words):
        proven_by_issuer(token(), ISSUER, "lane", keys(), datetime.now(UTC))


def test_a_symmetric_key_in_the_set_signs_nothing() -> None:
    secret = {"keys": [{"kty": "oct", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "kid": "one"}]}
    with pytest.raises(NotAllowedError):
        proven_by_issuer(id_token("secretsecretsecretsecret" * 2, "HS256"), ISSUER, "lane", secret, datetime.now(UTC))


# -- which addresses are asked -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.1", "192.168.1.1", "[::1]", "[fd00::1]", "100.64.0.1", "0.0.0.0"]
)
def test_an_address_that_a_document_names_is_never_inside_a_private_network(host: str) -> None:
    with pytest.raises(LaneError, match="private network"):
        Service("the issuer", f"https://{host}/keys", "id.example.org").get()


@pytest.mark.parametrize("host", ["169.254.169.254", "[fe80::1]", "100.100.100.200"])
def test_where_clouds_keep_credentials_is_asked_by_nobody(host: str) -> None:
    with pytest.raises(UnreachableError):
        Service("the issuer", f"https://{host}/", host.strip("[]")).get()


def test_nothing_is_asked_in_the_clear_beyond_this_computer() -> None:
    with pytest.raises(NotAllowedError, match="without TLS"):
        Service("the issuer", "http://id.example.org/", "id.example.org").get()


@pytest.mark.parametrize(
    "did",
    [
        "did:web:127.0.0.1",
        "did:web:localhost%3A8080",
        "did:web:10.0.0.1",
        "did:web:[::1]",
        "did:web:..",
        "did:web:a..b",
        "did:key:z6Mk",
        "x",
    ],
)
def test_a_did_leads_into_no_private_network(did: str) -> None:
    with pytest.raises(LaneError):
        document_of(did, "https://plc.example.org")
