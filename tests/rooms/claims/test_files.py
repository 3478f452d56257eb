"""A file says it only when it says all of it, with the same denials."""

from __future__ import annotations

import pytest

from memlane.claims import says

README = """# Sums

Tests are run with `pytest -q`. Install the dependencies with `make deps` before the first build.

- Indentation in YAML files: use two spaces.
- Generated files under dist/ are built by CI. Never commit them.
- Use pnpm in this repository, not npm.
"""
SCRIPTS = '{"scripts": {"test:unit": "vitest run", "build": "tsc -b"}}'


@pytest.mark.parametrize(
    ("title", "content", "said"),
    [
        ("Tests are run with pytest -q", "", True),
        ("Tests are run with pytest -x", "", False),
        ("Use two spaces for indentation in YAML files", "The person asked for it.", True),
        ("Use two spaces for indentation in YAML files", "Tabs made the nightly deploy fail.", False),
        ("Never commit generated files under dist/", "They are built by CI.", True),
        ("Commit generated files under dist/", "", False),
        ("Use pnpm, not npm, in this repository", "", True),
        ("Use npm, not pnpm, in this repository", "", False),
        ("Never install the dependencies with `make deps`", "", False),
        ("Install the dependencies with `make deps` after the first build", "", False),
        ("YAML", "", False),
    ],
)
def test_a_file_says_what_it_says(title: str, content: str, said: bool) -> None:
    assert says(README, "README.md", title, content) is said


def test_the_scripts_of_a_package_are_known_by_their_names() -> None:
    assert says(SCRIPTS, "package.json", "Tests are run with npm run test:unit", "")
    assert says(SCRIPTS, "package.json", "The build command is npm run build", "")
    assert not says(SCRIPTS, "package.json", "npm run build fails on Node 18", "")
    assert not says("{not json", "package.json", "The build command is npm run build", "")
