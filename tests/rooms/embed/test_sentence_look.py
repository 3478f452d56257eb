"""The layers that read a sentence say what they said where they were trained, and only behind their own encoder."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from memlane.embed import EmbedderError, teaching_look
from memlane.embed.encoder import SentenceLook
from memlane.embed.models import TEACHING_SHA256, TEACHING_WEIGHTS


@pytest.mark.parametrize(
    ("sentence", "trained"),  # what torch makes of the unpacked weights
    [
        ("Releases are cut on Thursdays only.", 3.137),
        ("why is the build red again?", -3.156),
        ("We keep one migration per pull request, no exceptions.", 2.603),
        ("use the other port for this run", -2.981),
        ("the parser drops empty lines, look into it", -3.115),
        ('call it "draft" everywhere in this code base', 2.015),
    ],
)
def test_what_runs_says_what_was_trained(sentence: str, trained: float) -> None:
    assert teaching_look().log_odds(sentence) == pytest.approx(trained, abs=0.05)


def test_it_reads_on_from_no_other_encoder() -> None:
    other = SimpleNamespace(sha256="0" * 64)
    with pytest.raises(EmbedderError, match="another encoder"):
        SentenceLook(other, TEACHING_WEIGHTS, TEACHING_SHA256)  # type: ignore[arg-type]


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    changed = bytearray(TEACHING_WEIGHTS.read_bytes())
    changed[-100] ^= 1
    (tmp_path / "changed").write_bytes(changed)
    with pytest.raises(EmbedderError, match="damaged"):
        SentenceLook(SimpleNamespace(sha256=""), tmp_path / "changed", TEACHING_SHA256)  # type: ignore[arg-type]
