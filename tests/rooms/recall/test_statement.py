"""A run that has said what a note says needs no note; one that asked about it, or said otherwise, does."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memlane.domain import Memory, Type
from memlane.recall import stated

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def a_memory(title: str, project: str = "acme/shop") -> Memory:
    return Memory("m_1", "ann", Type.DECISION, title, "", NOW, NOW, NOW, NOW, project=project)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Use pnpm, not npm, for installs", "Right. I will use pnpm, not npm, for the install."),
        ("Never push to main directly", "remember: never push directly to main\nand run the tests"),
        ("Releases of shop are cut on Thursdays", "Releases are cut on Thursdays, so I tag it tomorrow."),
        (
            "Integration tests run against the staging database with --runInBand",
            "The integration tests are run with --runInBand against our staging database.",
        ),
    ],
)
def test_the_same_in_a_sentence_of_the_run_counts(title: str, said: str) -> None:
    assert stated(a_memory(title), ["hello", said])


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Use pnpm, not npm, for installs", "I will use npm for the install, not pnpm."),
        ("Use pnpm, not npm, for installs", "do we use pnpm, not npm, for installs?"),
        ("Never push to main directly", "I pushed to main directly."),
        ("The gateway times out after 8 seconds", "The gateway times out after 30 seconds."),
        ("Releases of shop are cut on Thursdays", "Releases are cut by the release team. Thursdays are quiet."),
        ("Use tabs", "Use tabs."),  # too little to know
    ],
)
def test_the_opposite_a_question_or_a_part_of_it_does_not(title: str, said: str) -> None:
    assert not stated(a_memory(title), [said])
