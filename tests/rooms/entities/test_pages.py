"""Folders of markdown: what a page is called, and what is left alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memlane.entities import Pages
from memlane.entities import origins as room


def names(folder: Path, type_: str = "person", pages: Pages | None = None) -> dict[str, tuple[str, ...]]:
    return {e.slug: (e.name, *e.aliases) for e in (pages or Pages()).look([(type_, folder)])}


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("---\nname: Neal Brown\naliases: [NB, 'Neal B.']\n---\n# Meetings\n", ("Neal Brown", "NB", "Neal B.")),
        ("---\nname: Neal Brown\naka:\n  - NB\n  - Brownie\nemail: a@b.c\n---\n", ("Neal Brown", "NB", "Brownie")),
        ("---\ntitle: \"Neal Brown\"\nnickname: NB, Brownie\n---\n", ("Neal Brown", "NB", "Brownie")),
        ("# Neal Brown #\n\n## Meetings\n", ("Neal Brown",)),
        ("# [[people/neal|Neal Brown]]\n", ("Neal Brown",)),
        ("\ufeff---\nname: Neal Brown\n---\n", ("Neal Brown",)),
        ("met him in spring\n", ("Neal Brown",)),
        ("", ("Neal Brown",)),
        ("---\nname: never closed\n", ("Neal Brown",)),
    ],
)  # fmt: skip
def test_a_page_is_called_by_its_fields_its_heading_or_its_file(
    tmp_path: Path, text: str, called: tuple[str, ...]
) -> None:
    (tmp_path / "brown-neal.md").write_text(text)
    assert names(tmp_path) == {"brown-neal": called}


def test_a_shop_is_not_turned_around_and_is_known_by_its_address(tmp_path: Path) -> None:
    (tmp_path / "indy-hall.md").write_text("---\nurl: https://www.indyhall.example/about\n---\n")
    assert names(tmp_path, "business") == {"indy-hall": ("Indy Hall", "indyhall.example")}


def test_what_a_page_calls_itself_is_one_short_plain_line(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text('---\nname: "Neal\x1b[31m\u202e Brown" \naliases: [' + "y" * 500 + "]\n---\n")
    ((name, alias),) = names(tmp_path).values()
    assert "\x1b" not in name
    assert "\u202e" not in name
    assert len(alias) <= 80


def test_only_pages_that_changed_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(5):
        (tmp_path / f"last{n}-first.md").write_text(f"# Person Number{n}\n")
    pages = Pages()
    names(tmp_path, pages=pages)
    opened: list[str] = []
    real = os.open

    def watched(path: str, flags: int, mode: int = 0o777) -> int:
        opened.append(Path(path).name)
        return real(path, flags, mode)

    monkeypatch.setattr(room.os, "open", watched)
    assert len(names(tmp_path, pages=pages)) == 5
    assert opened == []
    (tmp_path / "last3-first.md").write_text("# Somebody Else\n")
    (tmp_path / "last4-first.md").unlink()
    assert names(tmp_path, pages=pages)["last3-first"] == ("Somebody Else",)
    assert opened == ["last3-first.md"]
    assert "last4-first" not in names(tmp_path, pages=pages)


def test_links_pipes_and_what_is_no_text_are_passed_over_and_named(tmp_path: Path) -> None:
    people, outside = tmp_path / "people", tmp_path / "outside"
    people.mkdir()
    outside.mkdir()
    (outside / "secret.md").write_text("# Somebody Outside\n")
    (people / "link.md").symlink_to(outside / "secret.md")
    (people / "folder").symlink_to(outside)
    os.mkfifo(people / "pipe.md")
    (people / "binary.md").write_bytes(b"\0\1\2")
    (people / "---.md").write_text("# Nobody\n")
    (people / "README.md").write_text("# People\n")
    (people / "brown-neal.md").write_text("# Neal Brown\n")
    pages = Pages()
    assert list(names(people, pages=pages)) == ["brown-neal"]
    assert {Path(path).name for path in pages.broken} == {"link.md", "pipe.md", "binary.md", "---.md"}


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    pages = Pages()
    assert names(tmp_path / "nowhere", pages=pages) == {}
    assert list(pages.broken) == [str(tmp_path / "nowhere")]


def test_there_are_at_most_so_many_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_PAGES", 3)
    for n in range(5):
        (tmp_path / f"p{n}.md").write_text("")
    pages = Pages()
    assert len(names(tmp_path, pages=pages)) == 3
    assert "left out" in pages.broken[str(tmp_path)]


def test_a_page_deep_in_the_folder_is_found_and_an_endless_file_is_read_at_its_top(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "brown-neal.md").write_text("# Neal Brown\n" + "x" * 1_000_000)
    assert names(tmp_path) == {"brown-neal": ("Neal Brown",)}
