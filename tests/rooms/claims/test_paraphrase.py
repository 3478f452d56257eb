"""One lesson in other words is one; figures, names, denials and order always tell two apart."""

from __future__ import annotations

import pytest

from memlane.claims import names_of, paraphrase, same_claim
from tests.rooms.catch.lessons import DIFFERENT, SAME

OTHER_WORDS = (
    ("The importer keeps the original name in meta.source", "Keep the original name in meta.source when importing"),
    ("Invoices to Orrin go out as PDF, not as a link", "Send Orrin invoices as PDF rather than as a link"),
    ("harvest's base images are Debian slim; Alpine is not used", "No Alpine: harvest's base images are Debian slim"),
    ("Never rename columns in orders, because reports read them by name", "Never rename columns in orders"),
    ("Remove the folder after a build", "Delete the directory after a build"),
    ("The app may not use more than 50 MB of memory", "The app must stay below 50 MB of memory"),
    ("Orphaned branches are listed by tidy clean and removed only with --force",
     "tidy clean lists orphaned branches and only deletes with --force"),
)  # fmt: skip
NOT_THE_SAME = (
    ("Retry an upload at most 3 times", "Retry an upload at least 3 times"),
    ("Build the docs with Python 3.12", "Build the docs with Python 3.13"),
    (
        "Ask Hanna before any refund over 200 euros is paid out",
        "Ask Priya before any refund over 200 euros is paid out",
    ),
    ("Keep raw scans of the harbour camera for 90 days", "Keep raw scans of the harbour camera for 30 days"),
    ("Rotate the signing key before the certificate", "Rotate the certificate before the signing key"),
    ("Never deploy on a Friday", "Never deploy docs on a Friday"),
    ("Ask Hanna before a refund over 200 euros is paid out to a client",
     "Ask Hanna before a refund over 200 euros is paid out to a supplier"),
    ("Use the staging key for payment tests, signing and mail",
     "Use the staging key for payment tests, signing and mail in CI"),
    ("Use the shared fixture home for payment tests in src/pay",
     "Use the shared fixture home for nightly payment tests in src/pay"),
)  # fmt: skip


# Words that mean the same to a shop, not to a program; the same words, said of other things.
OTHER_ROLES = (
    ("The client validates the form before sending it", "The customer validates the form before sending it"),
    ("Use the post endpoint for invoices", "Use the publish endpoint for invoices"),
    ("Copy the dump from staging to production", "Copy the dump from production to staging"),
    ("Merge main into the feature branch", "Merge the feature branch into main"),
    ("The worker calls the api", "The api calls the worker"),
    ("Deploy the api first, then the web app", "Deploy the web app first, then the api"),
    ("If the test fails, restart the daemon", "If the daemon fails, restart the test"),
    ("Redis is faster than Postgres for sessions", "Postgres is faster than Redis for sessions"),
    ("Amy owns billing and Bob owns search", "Bob owns billing and Amy owns search"),
    ("Rename user_id to account_id", "Rename account_id to user_id"),
    ("Only Amy may deploy", "Amy may only deploy"),
    ("Put imports above constants", "Put imports below constants"),
    ("The left panel shows runs", "The right panel shows runs"),
)


def said(title: str, other: str, **given: frozenset[str]) -> bool:
    one, two = (written.partition(" | ") for written in (title, other))
    texts = [f"{name}\n{why}" for name, _, why in (one, two)]
    return paraphrase(one[0], texts[0], two[0], texts[1], **given)


@pytest.mark.parametrize(("one", "other"), OTHER_WORDS)
def test_other_words_for_the_same_are_the_same(one: str, other: str) -> None:
    assert said(one, other)
    assert said(other, one)


@pytest.mark.parametrize(("one", "other"), NOT_THE_SAME)
def test_another_figure_name_or_order_is_another_lesson(one: str, other: str) -> None:
    assert not said(one, other)
    assert not said(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER_ROLES)
def test_the_same_words_said_of_other_things_are_another_lesson(one: str, other: str) -> None:
    for here, there in ((one, other), (other, one)):
        assert not said(here, there)
        assert not same_claim(here, here, there, there)


def test_a_sentence_that_is_turned_round_is_the_same_lesson() -> None:
    assert said("Use the cache in CI", "In CI, use the cache")
    assert said("Run make lint before pushing", "Before pushing, run make lint")


def test_it_joins_more_than_catching_does_and_nothing_that_differs() -> None:
    assert sum(said(*pair) and said(*reversed(pair)) for pair in SAME) >= 55
    assert [pair for pair in DIFFERENT if said(*pair) or said(*reversed(pair))] == []


def test_the_name_of_the_project_makes_no_other_lesson() -> None:
    one, other = "quarry: changelog entries are one sentence", "Changelog entries are one sentence"
    assert not said(one, other)
    assert said(one, other, free=names_of("noor/quarry"))
