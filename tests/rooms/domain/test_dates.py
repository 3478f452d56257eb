"""Words that name a time: where they stand, and their first and last day."""

from __future__ import annotations

from datetime import date

import pytest

from memlane.domain.dates import DateForm, spans

WEDNESDAY = date(2025, 12, 17)


@pytest.mark.parametrize("form", DateForm)
def test_every_form_reads_its_own_example(form: DateForm) -> None:
    (span,) = spans(f"({form.value})", form)
    assert span.words == form.value
    first, last = span.days(WEDNESDAY)
    assert first <= last


@pytest.mark.parametrize(
    ("words", "form", "first", "last"),
    [
        ("two weeks ago", DateForm.AGO, "2025-12-01", "2025-12-07"),
        ("since a month ago", DateForm.AGO, "2025-11-01", "2025-11-30"),
        ("next year", DateForm.TURN, "2026-01-01", "2026-12-31"),
        ("last Monday", DateForm.WEEKDAY, "2025-12-15", "2025-12-15"),
        ("in February 2024", DateForm.MONTH, "2024-02-01", "2024-02-29"),
        ("on March 3rd", DateForm.MONTH_DAY, "2025-03-03", "2025-03-03"),
        ("seit letzter Woche", DateForm.TURN_GERMAN, "2025-12-08", "2025-12-14"),
    ],
)
def test_a_span_has_a_first_and_a_last_day(words: str, form: DateForm, first: str, last: str) -> None:
    (span,) = spans(words, form)
    assert span.days(WEDNESDAY) == (date.fromisoformat(first), date.fromisoformat(last))


def test_what_was_counted_and_what_was_only_told() -> None:
    told = {words: next(spans(f"{words} ago", DateForm.AGO)) for words in ("3 days", "a week", "a few weeks")}
    assert [(span.number, span.exact, span.rough) for span in told.values()] == [
        (3, True, False),
        (1, False, False),
        (4, False, True),
    ]
