"""Which `when` is for what an agent is about to do, and which commands and files show it: precision before reach."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlane.app.home.paths import signs
from memlane.domain import Memory, Type
from memlane.domain.activity import BY_NAME, activities_of, shown_by_command, shown_by_path
from memlane.domain.activity_table import ACTIVITIES
from memlane.surfaces.hooks.client import has_sign

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
COMMANDS = {
    "git add -A": "commit",
    "cd web && git -C .. status --short": "commit",
    "git -c user.name=x diff --staged": "commit",
    "git commit -m 'add it'": "commit",
    "git push origin main": "push",
    "gh pr create --draft": "pull request",
    "git fetch origin && git rebase origin/main": "merge",
    "npm publish --dry-run": "release",
    "git tag -l": "release",
    "kubectl get pods": "deploy",
    "make deploy": "deploy",
    "pnpm run test": "run tests",
    "alembic heads": "migration",
}
PATHS = {
    "/p/tests/test_mail.py": "tests",
    "/p/web/button.spec.ts": "tests",
    "/p/db/migrations/0007_orders.sql": "migration",
    "/p/package.json": "dependencies",
    "/p/.github/workflows/ci.yml": "workflows",
    "/p/CHANGELOG.md": "changelog",
    "/p/docs/guide/start.md": "documents",
    "/p/web/site.scss": "styles",
    "/p/main.go": "edit",
}


def a_rule(title: str = "", when: str = "") -> Memory:
    return Memory("m_1", "ann", Type.COMMITMENT, title, title, NOON, NOON, NOON, NOON, when=when)


def named(title: str = "", when: str = "") -> list[str]:
    return [one.name for one in activities_of(a_rule(title, when))]


@pytest.mark.parametrize(
    ("when", "wanted"),
    [
        ("before committing", ["commit"]),
        ("Committing anything in the shop", ["commit"]),
        ("writing a commit message", ["commit"]),
        ("before every commit", ["commit"]),
        ("after a refactor, before pushing", ["push"]),
        ("opening a pull request", ["pull request"]),
        ("resolving merge conflicts", ["merge"]),
        ("making a release", ["release"]),
        ("releasing or deploying", ["release", "deploy"]),
        ("before running any tests", ["run tests"]),
        ("writing tests", ["tests"]),
        ("generating a database migration", ["migration"]),
        ("reaching for a new package", ["dependencies"]),
        ("about to edit a file", ["edit"]),
        ("vor jedem Commit", ["commit"]),
        ("コミットする前", ["commit"]),
    ],
)
def test_a_when_that_names_something_to_be_done_is_for_it(when: str, wanted: list[str]) -> None:
    assert named("Ask first", when) == wanted


@pytest.mark.parametrize(
    "when",
    [
        "",
        "changing the condense condition in the post-commit hook",
        "writing tests that create git commits",
        "working out which commits belong to a branch",
        "before reporting that work is committed and pushed",
        "a test fails",
        "storing, checking or migrating passwords",
        "accepting an evening commitment that needs Jan at home",
        "the build of the release notes page hangs on Windows machines",
        "writing mail to external people",
    ],
)
def test_one_that_says_more_or_something_else_is_for_nothing(when: str) -> None:
    assert named("Ask first", when) == []


def test_without_a_when_a_plain_rule_says_what_it_is_for() -> None:
    assert named("Never commit for Rob") == ["commit"]
    assert named("Run make lint before you push") == ["push"]
    assert named("Rob likes commits that are small") == []
    assert named("Never commit for Rob", "Rob asks for a health check") == []


@pytest.mark.parametrize(("command", "wanted"), COMMANDS.items())
def test_a_command_shows_what_comes_next(command: str, wanted: str) -> None:
    assert wanted in [one.name for one in shown_by_command(command)]


@pytest.mark.parametrize("command", ["ls -la", "cat commit.txt", "digit add", "git log --oneline", "echo git", "make"])
def test_most_commands_show_nothing(command: str) -> None:
    assert shown_by_command(command) == []


@pytest.mark.parametrize(("path", "wanted"), PATHS.items())
def test_a_path_shows_it_too_and_what_is_for_this_kind_of_file_comes_before_what_is_for_any(
    path: str, wanted: str
) -> None:
    assert next(one.name for one in shown_by_path(path)) == wanted


def test_the_hook_asks_about_all_that_the_daemon_would_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its signs are words that stand in each such command or path, whatever the pattern says besides."""
    monkeypatch.chdir(tmp_path)
    for kind, cases in ((b"$", COMMANDS), (b"/", PATHS)):
        for text, name in cases.items():
            (tmp_path / "signs").write_bytes(signs([name]))
            assert has_sign(kind, text.lower().encode()), (text, name)


def test_nothing_known_is_an_empty_list_and_a_name_of_another_version_is_passed_over() -> None:
    assert signs([]) == signs(["juggling"]) == b""
    assert [one.name for one in ACTIVITIES] == list(BY_NAME)
