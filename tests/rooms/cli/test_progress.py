"""A bar that never lies."""

from __future__ import annotations

import io

from memlane.surfaces.cli.progress import Guess, ProgressBar, ProgressLine, ProgressStep


def at(done: int, total: int = 100, on: str = "") -> ProgressStep:
    return ProgressStep("copying", done, total, done / total, on)


def test_nothing_is_guessed_in_the_first_seconds_or_before_a_twentieth_is_done() -> None:
    guess = Guess(began=0.0)
    assert guess.said(0.5, now=9.0) == "estimating"
    assert guess.said(0.04, now=60.0) == "estimating"
    assert guess.said(0.5, now=60.0) == "1 min left"


def test_a_guess_may_fall_but_is_not_told_when_it_rises_by_half() -> None:
    guess = Guess(began=0.0)
    told = [
        guess.said(0.5, now=20.0),
        guess.said(0.6, now=60.0),
        guess.said(0.62, now=95.0),
        guess.said(0.63, now=130.0),
    ]
    assert told[0] == "20 s left"
    assert told[-1] == "slower than expected"


def test_the_guess_is_the_middle_of_the_last_half_minute() -> None:
    steady = Guess(began=0.0)
    for second in range(11, 40):
        steady.said(second / 100, now=float(second))
    assert steady.said(0.40, now=40.0) == "1 min 14 s left"  # 89 s were left at first, 60 are now


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
