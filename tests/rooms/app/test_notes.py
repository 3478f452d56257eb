"""Which lines of a page become a note: what somebody could act on, once, standing on its own."""

from __future__ import annotations

import pytest

from memlane.app.notes.lessons import notes_in
from memlane.domain import Type
from memlane.system.markdown import blocks, front_matter

PAGE = """\
# Shop

This file provides guidance to Claude Code when working with code in this repository.

## Commands

- `npm test` - run the tests
- Build: `npm run build`
- Always run `npm run lint` before committing

| command | what |
|---|---|
| `make` | never shown |

```bash
npm install  # never do this by hand
```

## Architecture

The shop has three services.

- **Backend**: Django
- `src/mail/`: sends the mail

## Testing

When writing tests:
- use a real database, no mocks
  - except for the clock
- name them after behaviour

Do not touch vendored files, because they are
generated.

<!-- never say this
in two lines -->
@AGENTS.md
1. Ask which Adam is meant
2. [ ] write the changelog
3. [Guide](docs/guide.md) - all of it

    never_run_this()
"""


def titles(text: str) -> list[str]:
    return [note.title for note in notes_in(text)]


def test_instructions_and_lessons_are_notes_and_listings_tables_code_and_greetings_are_not() -> None:
    assert titles(PAGE) == [
        "Commands: Always run `npm run lint` before committing",
        "When writing tests: use a real database, no mocks - except for the clock",
        "When writing tests: name them after behaviour",
        "Testing: Do not touch vendored files, because they are generated.",
        "Testing: Ask which Adam is meant",
    ]


def test_a_note_knows_its_line_and_its_words_as_they_stand_there() -> None:
    lines = PAGE.split("\n")
    for note in notes_in(PAGE):
        first = note.quote.split("\n")[0]
        assert first in lines[note.line - 1]
    assert notes_in(PAGE)[1].quote == "use a real database, no mocks\n- except for the clock"


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("- Never force-push to main", True),
        ("- Tests live next to the code they test", True),
        ("- **Always** answer in short sentences", True),
        ("- `make ship` must be used for deploys, never kubectl", True),
        ("- Die Tests laufen immer gegen eine echte Datenbank", True),
        ("- `make ship`: deploys", False),
        ("- Deploy: `make ship`", False),
        ("- [Deploys](deploys.md) — how they go", False),
        ("- [x] deploy the shop today", False),
        ("- **[Plan](docs/plan.md)** — the plan, and the boxes to tick", False),
        ("- Release notes of the terminal: https://example.com/releases (May)", False),
        ("A tool that lets you use vim in any text field of any program.", False),
        ("Keep the tool small. It has to start in no time.", True),
        ("Conventions are not yet established, follow what is there.", False),
        ("- yes", False),
        ("- https://example.com/a/b", False),
        ("![badge](https://example.com/badge.svg)", False),
        ("The shop is a web application written in Python.", False),
        ("You must never deploy on a Friday.", True),
        ("See `docs/guide.md` before you use it.", False),
        ("> Never trust the cache here.", True),
    ],
)
def test_one_line_is_a_note_or_not(line: str, kept: bool) -> None:
    assert bool(titles(line)) is kept


def test_an_order_is_a_commitment_and_anything_else_a_lesson() -> None:
    order, lesson = notes_in("- Never force-push to main\n- The cache lives for an hour and a half\n")
    assert (order.type, lesson.type) == (Type.COMMITMENT, Type.LEARNING)


def test_the_same_thing_said_twice_is_one_note() -> None:
    assert len(titles("- Never force-push to main\n\n- never  force-push to main\n")) == 1


def test_what_stands_in_a_fence_inside_an_item_is_left_out_and_the_item_is_kept() -> None:
    fenced = "  ```sh\n  rm -rf never\n  ```\n"
    text = f"- Always format before you commit:\n  it keeps diffs small\n{fenced}- Never skip the hooks\n"
    assert [note.content for note in notes_in(text)] == [
        "Always format before you commit:\nit keeps diffs small",
        "Never skip the hooks",
    ]


def test_a_fence_that_is_never_closed_hides_the_rest() -> None:
    assert titles("- Never skip the hooks\n\n~~~\n- Always hidden here too\n") == ["Never skip the hooks"]


def test_front_matter_is_not_text() -> None:
    page = "---\ndescription: Always shown as a rule\nglobs: '*.ts'\n---\n- Use strict mode in every file\n"
    assert front_matter(page) == ({"description": "Always shown as a rule", "globs": "*.ts"}, 4)
    (note,) = notes_in(page)
    assert (note.line, note.title) == (5, "Use strict mode in every file")
    assert front_matter("---\nnever closed\n") == ({}, 0)


def test_a_page_about_one_thing_is_one_note_called_what_it_calls_itself() -> None:
    page = "---\nname: deploys\ndescription: Deploys go through make ship\n---\nNever by hand.\n\nWhy: it broke once.\n"
    (note,) = notes_in(page, topic=True)
    assert (note.title, note.content) == ("Deploys go through make ship", "Never by hand.\n\nWhy: it broke once.")
    assert notes_in("- Never skip the hooks\n", topic=True) == notes_in("- Never skip the hooks\n")


def test_a_long_title_is_cut_at_a_sentence_and_the_text_is_whole() -> None:
    words = "Never push on a Friday. " + "It has gone wrong before and it will go wrong again. " * 5
    (note,) = notes_in(f"- {words}\n")
    assert len(note.title) <= 121
    assert note.content == words.strip()


def test_blocks_lose_no_line_numbers_after_a_comment() -> None:
    found = list(blocks("<!-- a\nb\nc -->\nYou must see this.\n"))
    assert [(block.line, block.text) for block in found] == [(4, "You must see this.")]
