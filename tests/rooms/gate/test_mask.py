"""Masking: once is enough, what is clean is not touched, and nobody learns from a Finding what was found."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.gate import Gate, SecretFinding
from tests.examples import examples

GATE = Gate()
SECRETS = [sample.text for _, sample in GATE.samples(3)]
PIECES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(SECRETS),
    st.sampled_from(["<private>", "</private>", "[masked: jwt]", "[masked: private]", "[masked: nothing]", "password=",
                     'token: "', "Bearer ", "\n", "\\n", '"', "\u200b", "\x1b[0m", "%3D", "&quot;", "://u:", "@h"]),
)  # fmt: skip


@settings(max_examples=examples(37), deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = GATE.mask(text)
    assert GATE.mask(once) == once
    assert GATE.findings(once) == ()


@settings(max_examples=examples(37), deadline=None)
@given(st.lists(PIECES, max_size=6).map("".join))
def test_findings_are_in_order_and_inside_the_text(text: str) -> None:
    last = 0
    for finding in GATE.findings(text):
        assert last <= finding.start < finding.end <= len(text)
        last = finding.end


@given(st.text())
@settings(max_examples=examples(25), deadline=None)
def test_any_text_at_all_can_be_masked(text: str) -> None:
    assert isinstance(GATE.mask(text), str)


def test_half_a_character_is_no_obstacle(gate: Gate) -> None:
    secret = dict(gate.samples(1))["github-token"].secret
    assert gate.mask(f"\ud800 {secret} \udfff") == "\ud800 [masked: github-token] \udfff"


def test_clean_text_is_the_same_object(gate: Gate) -> None:
    for text in ("", "short", "nothing to see here, only words\nand a second line"):
        assert gate.mask(text) is text


def test_a_finding_says_what_and_where_and_never_the_secret(gate: Gate) -> None:
    for rule, sample in gate.samples(2):
        text = f"über 日本 {sample.text}"
        found = gate.findings(text)
        assert found
        assert sample.secret not in repr(found), rule
    secret = dict(gate.samples(2))["github-token"].secret
    (finding,) = gate.findings(f"über 日本 {secret} — ende")
    assert finding == SecretFinding("github-token", 8, 8 + len(secret))


def test_a_made_up_marker_hides_nothing(gate: Gate) -> None:
    secret = dict(gate.samples(2))["github-token"].secret
    assert secret not in gate.mask(f"[masked: {secret}]")


def test_the_better_known_kind_names_the_mark(gate: Gate) -> None:
    secret = dict(gate.samples(2))["github-token"].secret
    assert gate.mask(f'api_key = "{secret}"') == 'api_key = "[masked: github-token]"'


@pytest.mark.parametrize(
    "value",
    ["xxxxxxxx", "<your-password>", "${DB_PASSWORD}", "$PASSWORD", "process.env.DB_PASSWORD", "os.environ", "REDACTED",
     "changeme", "********", "your-password-here", "{{ password }}", "%PASSWORD%", "settings.db.password", "None"],
)  # fmt: skip
def test_what_stands_for_a_password_is_none(gate: Gate, value: str) -> None:
    for text in (f"password = {value}", f'password: "{value}"', f"DB_PASSWORD={value}"):
        assert gate.mask(text) == text


@pytest.mark.parametrize(
    "text",
    ['PASSWORD="{}"', "password={}", "DB_PASSWORD={}", "password: {}", '{{"password": "{}"}}', "--password {}",
     "Authorization: Bearer {}", "Authorization: Basic {}", "api_key: {}", 'apiKey = "{}"', "client_secret={}",
     "https://me:{}@git.test/x", "postgresql://app:{}@db/app", "Server=x;Uid=me;Password={};", "curl -u me:{} http://x",
     "machine git.test\n  login me\n  password {}", "<password>{}</password>", "PGPASSWORD={} psql", "x-api-key: {}",
     "https://x.test/?access_token={}", "_authToken={}", "Cookie: sid={}", "the password is `{}`"],
)  # fmt: skip
def test_the_name_gives_the_value_away(gate: Gate, text: str) -> None:
    value = "Qv7" + "mT2x" + "Zp9L" + "4"
    masked = gate.mask(text.format(value))
    assert value not in masked
    assert "[masked: " in masked
