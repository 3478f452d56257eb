"""What a person put between `<private>` and `</private>` is nobody's business."""

from __future__ import annotations

import base64

import pytest

from memlane.gate import Gate

P = "[masked: private]"
OPEN = "[masked: private, never closed]"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("a <private>the plan</private> b", f"a {P} b"),
        ("a <private>x</private> b <private>y</private> c", f"a {P} b {P} c"),
        ("a <private>one <private>two</private> three</private> b", f"a {P} b"),
        ("a <private>never closed\nmore\nlines", f"a {OPEN}"),
        ("a <private>one <private>two</private> still open", f"a {OPEN}"),
        ("a <PRIVATE>x</Private> b", f"a {P} b"),
        ('a <private reason="mine">x</private> b', f"a {P} b"),
        ("a <private>\nüber\n</private>\nb", f"a {P}\nb"),
        ("a \\u003cprivate\\u003ex\\u003c/private\\u003e b", f"a {P} b"),
        ("a &lt;private&gt;x&lt;/private&gt; b", f"a {P} b"),
        ("a <pri\u200bvate>x</pri\u200bvate> b", f"a {P} b"),
        ("a </private> b", "a </private> b"),
        ("a private matter, <privately> said", "a private matter, <privately> said"),
    ],
)
def test_private_words_are_masked(gate: Gate, text: str, masked: str) -> None:
    assert gate.mask(text) == masked


def test_a_secret_among_private_words_goes_with_them(gate: Gate) -> None:
    secret = dict(gate.samples(1))["github-token"].secret
    assert gate.mask(f"a <private>{secret}</private> b {secret}") == f"a {P} b [masked: github-token]"


def test_private_words_inside_an_encoding_take_it_along(gate: Gate) -> None:
    coded = base64.b64encode(b"please <private>keep this</private> to yourself").decode()
    assert gate.mask(f"note {coded} end") == f"note {P} end"


def test_a_tag_nobody_closed_says_why_the_rest_is_missing(gate: Gate) -> None:
    masked = gate.mask("before <private>and all that follows, to the very end")
    assert masked == f"before {OPEN}"
    assert gate.mask(masked) == masked
    assert [finding.rule for finding in gate.findings("a <private>b")] == ["private, never closed"]
