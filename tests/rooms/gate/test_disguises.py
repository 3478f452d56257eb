"""No byte of a secret comes through, plain or in whatever dress it comes."""

from __future__ import annotations

import base64
import gzip
import json

import pytest

from benchmarks.gate import DRESSES, Ordinary, leaks
from memlane.gate import Gate, SecretSample

pytestmark = pytest.mark.fault("H2")
SEED = 5
COMMONEST = (
    "anthropic-key", "authorization-header", "aws-access-key", "aws-secret-key", "azure-storage-key", "bearer-token",
    "command-line-password", "database-url-password", "discord-webhook", "docker-token", "environment-password",
    "environment-secret", "github-fine-grained-token", "github-token", "gitlab-token", "google-api-key",
    "google-oauth-secret", "huggingface-token", "jwt", "key-header", "npm-token", "openai-key", "password",
    "private-key", "pypi-token", "secret-assignment", "sendgrid-key", "slack-token", "slack-webhook", "stripe-key",
    "telegram-bot-token", "twilio-key", "url-password",
)  # fmt: skip


def missed(gate: Gate, dress: str, seed: int = SEED) -> set[str]:
    """The kinds of which something is left."""
    found: set[str] = set()
    for rule, sample in gate.samples(seed):
        text, secret = DRESSES[dress](sample)
        if leaks(secret, gate.mask(text)):
            found.add(rule)
    return found


def test_the_leak_detector_sees_a_leak() -> None:
    assert leaks("abcdefghij", "x abcdefgh y")
    assert leaks("abc", "xabcx")
    assert not leaks("abcdefghij", "[masked: abcdefghij] abcdefg")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_kind_is_masked_in_plain_text(gate: Gate, seed: int) -> None:
    assert missed(gate, "plain", seed) == set()


@pytest.mark.fault("H2")
@pytest.mark.parametrize("dress", [name for name in DRESSES if name != "plain"])
def test_nineteen_of_twenty_kinds_are_masked_in_any_dress_and_the_commonest_always(gate: Gate, dress: str) -> None:
    left = missed(gate, dress)
    total = sum(1 for _ in gate.samples(SEED))
    assert len(left) * 20 <= total, sorted(left)
    assert left.isdisjoint(COMMONEST)


@pytest.mark.parametrize("dress", ["plain", "base64", "split"])
def test_ordinary_lines_around_it_hide_no_secret(gate: Gate, dress: str) -> None:
    lines = list(Ordinary(99).lines(1000))
    left: set[str] = set()
    for n, (rule, sample) in enumerate(gate.samples(SEED)):
        text, secret = DRESSES[dress](sample)
        start = 3 * n % 900
        if leaks(secret, gate.mask("\n".join([*lines[start : start + 9], text, *lines[start + 9 : start + 18]]))):
            left.add(rule)
    assert len(left) * 20 <= (0 if dress == "plain" else n), sorted(left)
    assert left.isdisjoint(COMMONEST)


def test_the_commonest_are_kinds_there_are(gate: Gate) -> None:
    assert len(COMMONEST) >= 30
    assert set(COMMONEST) <= {rule for rule, _ in gate.samples(SEED)}


@pytest.fixture
def token(gate: Gate) -> SecretSample:
    return dict(gate.samples(SEED))["github-token"]


def test_what_is_masked_of_an_encoded_secret_is_all_of_it(gate: Gate, token: SecretSample) -> None:
    coded = base64.b64encode(f"user:{token.secret}".encode()).decode()
    assert gate.mask(f"Proxy {coded}, done") == "Proxy [masked: github-token], done"
    assert gate.mask(f"dump {token.secret.encode().hex()} end") == "dump [masked: github-token] end"


def test_compressed_and_encoded_is_looked_into(gate: Gate, token: SecretSample) -> None:
    packed = base64.b64encode(gzip.compress(f"export TOKEN={token.secret}\n".encode() * 3)).decode()
    assert gate.mask(f"blob: {packed}") == "blob: [masked: github-token]"


def test_what_only_looks_compressed_passes(gate: Gate) -> None:
    text = "blob: H4sI" + "QUJDREVG" * 8
    assert gate.mask(text) == text


def test_a_wrapped_blob_of_base64_is_read_over_its_lines(gate: Gate, token: SecretSample) -> None:
    coded = base64.encodebytes(f"first line\nsecond line\nexport TOKEN={token.secret} # and so on\n".encode()).decode()
    masked = gate.mask(f"begin\n{coded}end")
    assert "[masked: github-token]" in masked
    assert not any(line in masked for line in coded.split())


def test_utf16_in_base64_is_read(gate: Gate, token: SecretSample) -> None:
    coded = base64.b64encode(f"$t = '{token.secret}'".encode("utf-16-le")).decode()
    assert gate.mask(f"powershell -enc {coded}") == "powershell -enc [masked: github-token]"


@pytest.mark.parametrize(
    "hide",
    [
        lambda s: "\u200d".join(s),
        lambda s: "\u00ad".join(s),
        lambda s: "\u202e" + "\u2066".join(s) + "\u2069\u202c",
        lambda s: "\U000e0041".join(s),
        lambda s: "".join(chr(0xE0000 + ord(c)) for c in s),
        lambda s: "".join(chr(0xFEE0 + ord(c)) for c in s),
        lambda s: s.replace("a", "\u0430").replace("e", "\u0435").replace("p", "\u0440").replace("o", "\u043e"),
        lambda s: s[:7] + "\x1b[1;31m" + s[7:20] + "\x1b[0m" + s[20:],
        lambda s: "\0".join(s),
        lambda s: " ".join(s),
        lambda s: "".join(f"&#{ord(c)};" for c in s),
        lambda s: "".join(f"\\x{ord(c):02x}" for c in s),
        lambda s: "".join(f"\\{ord(c):03o}" for c in s),
    ],
    ids=[
        "zero width", "soft hyphens", "bidi", "tags between", "all in tags", "full width", "cyrillic", "colours",
        "nul", "spaced", "entities", "hex escapes", "octal escapes",
    ],
)  # fmt: skip
def test_a_secret_nobody_can_see_is_seen(gate: Gate, token: SecretSample, hide: object) -> None:
    assert callable(hide)
    hidden = str(hide(token.secret))
    masked = gate.mask(f"before {hidden} after")
    assert hidden[4:-4] not in masked
    assert "[masked: github-token]" in masked


def test_two_dresses_at_once(gate: Gate, token: SecretSample) -> None:
    inner = base64.b64encode(json.dumps({"note": f"it is\n{token.secret}"}).encode()).decode()
    masked = gate.mask(json.dumps({"body": f"payload=\n{inner}\n"}))
    assert inner not in masked
    assert "[masked: github-token]" in masked


def test_the_first_word_of_the_next_line_stays(gate: Gate, token: SecretSample) -> None:
    assert gate.mask(f"{token.secret}\nDone in 3 s") == "[masked: github-token]\nDone in 3 s"
    assert gate.mask(f"password = 'x9!kQ{token.secret[4:9]}'\nretries = 3").endswith("\nretries = 3")


@pytest.mark.fault("H3")
def test_an_unfinished_key_is_masked_as_far_as_it_goes(gate: Gate) -> None:
    block = dict(gate.samples(SEED))["private-key"].secret
    lines = block.split("\n")
    assert gate.mask("\n".join(["here:", *lines[:4]])) == "here:\n[masked: private-key]"
    assert gate.mask("\n".join([*lines[3:], "there"])) == "[masked: private-key-rest]\nthere"
    assert gate.mask(f"see\n{block}\n(all of it)") == "see\n[masked: private-key]\n(all of it)"


def test_speaking_of_keys_is_no_key(gate: Gate) -> None:
    text = 'if "-----BEGIN RSA PRIVATE KEY-----" in text: refuse()  # and -----END RSA PRIVATE KEY----- too'
    assert gate.mask(text) == text
