"""`lane donate` at a terminal: shown, cut by the person, shown again, and only then given."""

from __future__ import annotations

from pathlib import Path

from tests.acceptance.command_line import Person


def test_what_a_person_leaves_out_at_the_question_does_not_leave(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.claude_run("one", "paint the pier for ann@harbour.example", "and the cellar, which is private")
    assert person.lane("capture", "--json").code == 0
    run = person.lane("runs", "--json").data[0]["id"]
    words = ("donate", "gift", run, "--licence", "CC0-1.0")
    shown = person.on_screen(*words, columns=200, typed=f"{run}#t2\n\ny\n")
    assert shown.code == 0, shown.out
    assert "- paint the pier for ann@harbour.example" in shown.out
    assert "+ paint the pier for [masked: e-mail 1]" in shown.out
    assert "1 part left out" in shown.out
    given = "".join(file.read_text() for file in (person.home / "gift").rglob("*") if file.is_file())
    assert "paint the pier" in given
    assert "cellar" not in given


def test_a_no_gives_nothing(tmp_path: Path) -> None:
    person = Person(tmp_path)
    person.claude_run("one", "paint the pier")
    assert person.lane("capture", "--json").code == 0
    shown = person.on_screen("donate", "gift", "1", "--licence", "CC0-1.0", "--agent", "claude-code", typed="\nn\n")
    assert not (person.home / "gift").exists(), shown.out
