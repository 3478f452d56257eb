"""Every screen at every width, in every kind of terminal: straight, harmless, and never wider than it may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from memlane.surfaces.cli.text import width
from tests.acceptance.command_line import ESCAPE, Person
from tests.acceptance.test_cli_recall import asked

SCREENS = (
    [],
    ["status"],
    ["runs"],
    ["tree"],
    ["search", "deploy"],
    ["search", "再起動"],
    ["search", "deploy", "--sort", "new", "--mode", "words"],
    ["similar", "1"],
    ["edits", "README.md"],
    ["tag", "1", "+日本語"],
    ["pin", "1"],
    ["show", "1"],
    ["mem", "list"],
    ["mem", "show", "1"],
    ["mem", "edit", "1", "--category", "code"],
    ["mem", "history", "1"],
    ["mem", "import", "--dry-run"],
    ["undo", "--list"],
    ["title", "1"],
    ["recall", "how do deploys go, through make ship?"],
    ["recalls"],
    ["why"],
    ["why", "--near-misses"],
    ["dream", "report"],
    ["skills"],
    ["doctor"],
    ["config", "list"],
    ["exclude", "list"],
    ["--help"],
    ["help", "exit-codes"],
)
HOSTILE = "\x1b[31mred\x1b[0m \x1b]52;c;ZXZpbA==\x07 \x9b2J over\rwritten \u202egnp.exe deploy"


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Person:
    someone = Person(tmp_path_factory.mktemp("h"))
    someone.claude_run("one", "deploy the shop, then tell me how it went and what could go wrong with it " * 3)
    someone.claude_run(
        "two", "ポッドが再起動し続けます。ログを見て、原因を調べて、直してください。お願いします " * 3, project="日本語"
    )
    someone.claude_run("three", "🚀👩‍💻 ship it 🎉 deploy " * 8, project="a-project-with-quite-a-long-name")
    someone.claude_run("four", HOSTILE, answer=HOSTILE)
    assert someone.lane("capture").code == 0
    someone.lane("remember", "Deploys of the shop go through make ship, 決して手作業ではなく, never by hand " * 3)
    someone.lane("remember", "Deploys of the shop are never done on a Friday, whoever asks for it")
    asked(someone, "how do deploys of the shop go, through make ship or by hand, and on which day of the week?")
    told = someone.lane("why", "--json").data["shown"][0]["id"]
    someone.lane("down", told, "--because", "the whole platform team has changed its mind about this one, I think")
    someone.lane("dream", "--now")
    return someone


@pytest.fixture(scope="module")
def named(person: Person) -> Callable[[Sequence[str]], list[str]]:
    """The words of a screen, with ids where it has a number."""
    run = str(person.lane("runs", "--json").data[0]["id"])
    memory = str(person.lane("mem", "list", "--json").data[0]["id"])
    return lambda words: [(memory if "mem" in words else run) if word == "1" else word for word in words]


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("words", SCREENS, ids=" ".join)
def test_no_line_is_wider_than_the_screen(
    person: Person, named: Callable[[Sequence[str]], list[str]], words: list[str], columns: int
) -> None:
    seen = person.on_screen(*named(words), columns=columns)
    assert seen.code in (0, 1)
    hints = ("hint:", "fix:", "  lane ")  # a command to paste is never broken
    lines = [line for line in ESCAPE.sub("", seen.out).splitlines() if not any(hint in line for hint in hints)]
    assert [line for line in lines if width(line) > columns] == []


def test_status_is_whole_on_a_narrow_screen(person: Person) -> None:
    shown = " ".join(ESCAPE.sub("", person.on_screen("status", columns=60).out).split())
    for line in person.lane("status").records:
        assert " ".join(line[1].split()) in shown.replace("... ", "")


@pytest.mark.parametrize("words", SCREENS, ids=" ".join)
def test_a_pipe_gets_no_escape_and_without_utf8_no_box(
    person: Person, named: Callable[[Sequence[str]], list[str]], words: list[str]
) -> None:
    seen = person.lane(*named(words), LANG="C", TERM="dumb")
    assert "\x1b" not in seen.out + seen.err
    assert not set(seen.out) & set("│├└─")


@pytest.mark.parametrize("words", [["runs"], ["tree"], ["search", "deploy"], ["doctor"], ["status"]], ids=" ".join)
def test_a_terminal_without_colour_gets_none(person: Person, words: list[str]) -> None:
    assert "\x1b[3" in person.on_screen("runs").out
    for seen in (
        person.on_screen(*words, NO_COLOR="1"),
        person.on_screen(*words, TERM="dumb"),
        person.on_screen(*words, "--no-color"),
    ):
        assert "\x1b[" not in seen.out


def test_a_plain_locale_gets_plain_lines(person: Person) -> None:
    seen = person.on_screen("tree", LANG="C").out
    assert "`- " in seen
    assert not set(seen) & set("│├└─")
    assert "└─ " in person.on_screen("tree").out
    assert "`- " in person.on_screen("tree", LANE_ASCII="1").out


def test_colour_can_be_had_in_a_pipe(person: Person) -> None:
    run = person.lane("runs", "--json").data[0]["id"]
    assert "\x1b[" in person.lane("show", run, CLICOLOR_FORCE="1").out
    assert "\x1b[" not in person.lane("show", run).out


@pytest.mark.fault("E15")
@pytest.mark.parametrize("words", [["show"], ["search", "deploy"], ["runs"], ["tree"]], ids=" ".join)
def test_what_a_transcript_orders_the_terminal_to_do_is_only_text(person: Person, words: list[str]) -> None:
    (run,) = [run["id"] for run in person.lane("runs", "--json").data if run["session_id"] == "four"]
    words = [*words, run] if words == ["show"] else words
    for seen in (person.lane(*words).out, ESCAPE.sub("", person.on_screen(*words, NO_COLOR="1").out)):
        assert "red" in seen or words[0] != "show"
        assert not {c for c in seen if c < " " and c not in "\n\t"}
        assert not set(seen) & {"\x1b", "\x9b", "\u202e", "\x07", "\r"}
    assert not set(person.lane(*words, "--json").out) & {*map(chr, range(10)), "\x1b", "\x9b", "\u202e", "\r"}


def test_bare_lane_says_how_things_stand_and_never_waits(
    person: Person, tmp_path_factory: pytest.TempPathFactory
) -> None:
    said = person.lane()
    assert said.code == 0
    assert len(said.out.split("\n\n")[0].splitlines()) == 5
    assert len(said.out.split("\n\n")[1].splitlines()) == 3
    stranger = Person(tmp_path_factory.mktemp("n"))
    nothing = stranger.lane()
    assert nothing.code == 0
    assert "not set up" in nothing.out
    assert "lane init" in nothing.out
    assert not stranger.lane_home.exists()


def test_a_long_list_goes_through_the_persons_own_pager(person: Person) -> None:
    paged = person.on_screen("config", "list", rows=10, LANE_PAGER="sed s/^/PAGED:/")
    assert paged.out.count("PAGED:") > 10
    assert "PAGED:" not in person.on_screen("config", "list", rows=200, LANE_PAGER="sed s/^/PAGED:/").out
