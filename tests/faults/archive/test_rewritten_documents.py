"""A document that is written anew for days: it is not kept as often as that."""

from __future__ import annotations

from pathlib import Path

from campaigns.rewrites import rewrites


def test_two_hundred_rewrites_take_less_than_three_times_the_last_size(tmp_path: Path) -> None:
    """Half a megabyte here; two, as a Gemini chat may have, in `python -m campaigns.rewrites`."""
    report = rewrites(tmp_path, 200, 500_000)
    assert report.generations == report.restored == 200
    assert report.stored < 3 * report.last
    assert report.findings == 0
