"""One denies what the other asks for; an exception, another thing or another place does not."""

from __future__ import annotations

import pytest

from memlane.claims import names_of, opposed

DENIED = (
    ("Deploy on Fridays is fine", "Never deploy on a Friday"),
    ("Always squash commits before merging", "Never squash commits before merging"),
    ("Mocking the database is allowed in tests", "Mocking the database is forbidden in tests"),
    ("The request timeout is 30 s", "The request timeout is 60 s"),
    ("The standup is at 9:30", "The standup is at 10:00"),
    ("Postgres 13 is the oldest version we support", "Postgres 15 is the oldest version we support"),
    ("Use npm here", "Use pnpm instead of npm"),
    ("Use pnpm, not npm", "Use npm, not pnpm"),
    ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ("Base images are Debian slim; Alpine is not used", "Base images are Alpine"),
    ("Run the linter before the tests", "Run the linter after the tests"),
    ("The migration runs before the deploy", "The deploy runs before the migration"),
    ("Feature flags are off by default", "Feature flags are on by default"),
    ("Auto-update is enabled on the kiosks", "Auto-update is disabled on the kiosks"),
    ("Write code comments in German", "Write code comments in English"),
    ("Retry an upload at most 3 times", "Retry an upload at least 3 times"),
    ("harvest uses pip", "harvest no longer uses pip"),
    ("Do not use tabs in the Makefile", "Use tabs in the Makefile"),
    ("Verträge immer per Mail schicken", "Verträge nie per Mail schicken"),
)
BESIDE = (
    ("Never deploy on a Friday", "Deploy docs on Friday is fine"),
    ("Never deploy on a Friday", "No deploys on Fridays"),
    ("The request timeout is 30 s", "The upload timeout is 60 s"),
    ("Use npm in quarry", "Use pnpm in harvest"),
    ("Always squash commits", "Never squash commits on release branches"),
    ("Prefer composition over inheritance in widgets/", "In widgets/ prefer composition over inheritance"),
    ("Prefer composition over inheritance in widgets/", "Prefer inheritance over composition in models/"),
    ("The app may not use more than 50 MB of memory", "The app must stay below 50 MB of memory"),
    ("Feature flags live in flags.toml and nowhere else", "Put feature flags into flags.toml, nowhere else"),
    ("Step 1 needs a login", "Step 2 needs a login"),
    ("Node 18 needs the --legacy flag", "Node 20 needs the --legacy flag"),
    ("Send Mr Aldana text messages", "Do not send Mrs Aldana text messages"),
    ("pip install fails without --trusted-host", "pip install needs --trusted-host"),
    ("Ohne Absprache nichts löschen", "マイグレーションは必ず先に実行する"),
    ("", ""),
)


@pytest.mark.parametrize(("one", "other"), DENIED)
def test_what_denies_another_is_against_it_whichever_is_asked_first(one: str, other: str) -> None:
    assert opposed(one, other)
    assert opposed(other, one)


@pytest.mark.parametrize(("one", "other"), BESIDE)
def test_what_holds_for_less_or_for_something_else_stands_beside_it(one: str, other: str) -> None:
    assert not opposed(one, other)
    assert not opposed(other, one)


@pytest.mark.parametrize("title", sorted({title for pair in (*DENIED, *BESIDE) for title in pair}))
def test_nothing_denies_itself(title: str) -> None:
    assert not opposed(title, title)


def test_the_name_of_the_project_both_are_of_says_nothing() -> None:
    one, other = "quarry: use tabs in the Makefile", "Never use tabs in the Makefile"
    assert not opposed(one, other)
    assert opposed(one, other, names_of("noor/quarry"))
