"""A bar that never lies."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import pairwise

import pytest

from memlane.surfaces.cli.progress import Guess, ProgressBar, ProgressLine, ProgressStep


def at(done: int, total: int = 100, on: str = "") -> ProgressStep:
    return ProgressStep("copying", done, total, done / total, on)


def test_nothing_is_guessed_in_the_first_seconds_or_before_a_twentieth_is_done() -> None:
    guess = Guess(began=0.0)
    assert guess.said(0.02, now=5.0) == "estimating"
    assert guess.said(0.04, now=60.0) == "estimating"
    assert guess.said(0.5, now=70.0).endswith(" left")


def _told(shares: Sequence[float]) -> list[str]:
    """What is said each second, for the share that is done then."""
    guess = Guess(began=0.0)
    return [guess.said(share, now=float(second)) for second, share in enumerate(shares)]


def _seconds(said: str) -> int | None:
    found = re.fullmatch(r"(?:(\d+) min)? ?(?:(\d+) s)? left", said)
    return int(found[1] or 0) * 60 + int(found[2] or 0) if found else None


def test_steady_work_ends_when_it_was_said_to_end() -> None:
    told = _told([second / 100 for second in range(100)])
    assert all(_seconds(said) is not None for said in told[11:])
    assert all(abs((_seconds(said) or 0) - (100 - at)) <= 2 for at, said in enumerate(told) if at > 10)


STALLED = [*(second / 100 for second in range(80)), *([0.8] * 60)]
CREEPING = [*(second / 110 for second in range(100)), *(0.9 + second / 2500 for second in range(200))]
UNEVEN = [min(0.99, (second // 7) * 7 / 200) for second in range(200)]


@pytest.mark.parametrize("shares", [STALLED, CREEPING, UNEVEN])
def test_each_second_takes_one_off_or_words_say_that_it_takes_longer(shares: Sequence[float]) -> None:
    """Large items last, one that hangs, work in bursts: no number stands still, and none grows without the words."""
    told = _told(shares)
    for before, after in pairwise(told):
        was, now = _seconds(before), _seconds(after)
        if was is not None and now is not None:
            assert now < was or now == 1
        if was is not None and now is None:
            assert after == "slower than expected"
        assert not (before == "estimating" and after == "slower than expected")


@pytest.mark.parametrize("shares", [STALLED, CREEPING])
def test_what_became_slow_is_said_to_be_before_the_promised_end_is_long_past(shares: Sequence[float]) -> None:
    told = _told(shares)
    promised = max(at + left for at, said in enumerate(told[:90]) if (left := _seconds(said)) is not None)
    assert told[promised + 5] == "slower than expected"


def test_a_number_comes_back_when_the_new_rate_is_known() -> None:
    told = _told(CREEPING)
    assert _seconds(told[-100]) is not None


def test_a_file_that_takes_long_is_named() -> None:
    line = ProgressLine(now=0.0)
    line.drawn(at(3), now=1.0, columns=80)
    assert "on: big.jsonl for 21 s" in line.drawn(at(3, on="/a/long/way/down/to/big.jsonl"), now=22.0, columns=80)
    assert "big.jsonl" not in line.drawn(at(4, on="big.jsonl"), now=23.0, columns=80)


def test_a_line_fits_the_screen_and_a_narrow_one_has_no_bar() -> None:
    for columns in (40, 60, 80, 120):
        drawn = ProgressLine(now=0.0).drawn(at(33, on="x" * 200), now=30.0, columns=columns)
        assert len(drawn) < columns
        assert ("#" in drawn) == (columns >= 76)


def test_without_a_terminal_a_short_job_prints_nothing_and_no_carriage_return_is_ever_written() -> None:
    stream = io.StringIO()
    with ProgressBar(80, quiet=False, stream=stream) as progress:
        for done in range(101):
            progress.show(at(done))
    assert stream.getvalue() == ""


def test_a_job_without_a_total_draws_nothing() -> None:
    stream = io.StringIO()
    with ProgressBar(80, quiet=False, stream=stream) as progress:
        progress.show(ProgressStep("copying", 0, 0, 0.0))
    assert stream.getvalue() == ""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(seconds_a_step: float) -> list[str]:
    """Two stages of four steps each, on a terminal, with a clock that goes on by itself."""
    now, terminal = [0.0], Terminal()
    with ProgressBar(80, quiet=False, stream=terminal, clock=lambda: now[0]) as progress:
        for stage in ("copying", "indexing"):
            for done in range(5):
                now[0] += seconds_a_step
                progress.show(ProgressStep(stage, done, 4, done / 4))
            seconds_a_step = 0.0  # the second stage takes no time at all
    return terminal.getvalue().replace("\r", "\n").splitlines()


def test_what_is_done_at_once_needs_no_bar() -> None:
    assert drawn(0.05) == []


def test_once_a_bar_was_shown_every_stage_is_and_ends_full() -> None:
    lines = drawn(0.4)
    for stage in ("Copying", "Indexing"):
        last = [line for line in lines if line.startswith(stage)][-1]
        assert "4/4" in last
        assert "#" * 30 in last
