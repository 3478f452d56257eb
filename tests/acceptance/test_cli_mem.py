"""`lane mem`, `undo`, `title` and `outcome` as a person, a pipe and a program use them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.domain import Entry, Memory, Mention, State, Type
from memlane.domain.journal import MEMORY
from memlane.flow.journal import write_down
from memlane.storage import memory_data
from tests.acceptance.command_line import Person
from tests.acceptance.terminal import seated
from tests.conftest import LaneHome
from tests.rooms.app.memories import a_memory, evidence

HELD = "Never force-push to main"


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    return Person(lane_home.home, quick=True)


def caught(person: Person, *memories: Memory) -> None:
    """As an extractor of ours writes them."""
    with Lane(load(person.surroundings({}))) as lane:
        lane.home.begin()
        owner, machine = lane.config.user, lane.config.machine
        entries = [Entry(MEMORY, m.id, lane.home.clock(), owner, machine, "lane", memory_data(m)) for m in memories]
        write_down(entries, lane.home.tools())


def held(name: str, title: str, confidence: int = 50, run: str = "r_aaaaaaaaaaaaa") -> Memory:
    import getpass

    words = evidence(f"no, {title.lower()}", run)
    return a_memory(
        name, owner=getpass.getuser(), title=title, content=f"{title}.", state=State.HELD, confidence=confidence,
        evidence=(words,), reasoning="the person corrected the agent", maker="embedded@1",
    )  # fmt: skip


def state_of(person: Person, memory: str) -> str:
    return str(person.lane("mem", "show", memory, "--json").data["state"])


def test_when_a_note_matters_is_said_shown_edited_and_carried(person: Person) -> None:
    given = ["--when", "cutting a release", "--always", "--cue", "release bauen", "--cue", "cut a release"]
    made = person.lane("remember", "Releases are cut on Thursdays only", *given, "--json").data
    assert (made["when"], made["always"], made["cues"]) == (
        "cutting a release",
        True,
        ["release bauen", "cut a release"],
    )
    shown = person.lane("mem", "show", made["id"]).out
    assert "cutting a release; always (a standing rule)" in shown
    assert '"release bauen"' in shown
    person.lane("remember", "The ferry worker needs a COPY line")
    assert [row[1] for row in person.lane("mem", "list", "--always").records] != []
    assert len(person.lane("mem", "list", "--always").records) == 1
    (changed,) = person.lane("mem", "standing", made["id"], "--off", "--json").data
    assert not changed["always"]
    edited = person.lane("mem", "edit", made["id"], "--cue", "ship it", "--json").data
    assert (edited["when"], edited["always"], edited["cues"]) == ("cutting a release", False, ["ship it"])
    assert "cues: release bauen, cut a release -> ship it" in person.lane("mem", "history", made["id"]).out
    assert person.lane("mem", "edit", made["id"], "--cue", "", "--json").data["cues"] == []
    person.lane("rebuild")
    assert person.lane("mem", "show", made["id"], "--json").data["when"] == "cutting a release"


def test_a_secret_in_a_cue_is_masked_and_a_long_one_refused(person: Person) -> None:
    key = "AKIA" + "QLZ7M3XW5TRD2VNB"
    made = person.lane("mem", "add", "Deploys use the second account", "--cue", f"deploy with {key}", "--json").data
    assert key not in str(made)
    assert "[masked: " in made["cues"][0]
    refused = person.lane("remember", "Deploys use the third account", "--cue", "x" * 201)
    assert refused.code == 2
    assert "cue: at most 200 characters each" in refused.err


# -- list and show -----------------------------------------------------------------------------------------------------


def test_memories_are_found_by_everything_they_are(person: Person) -> None:
    about = (Mention("person", "Amy", "hoy-amy", resolved=True),)
    first = held("m_aaaaaaaaaaaa1", "Mails to Amy are casual", 55)
    second = held("m_aaaaaaaaaaaa2", HELD, 45)
    from dataclasses import replace

    first = replace(first, related_entities=about, category="email", times_observed=3, type=Type.COMMITMENT)
    caught(person, first, second)
    for words, found in (
        (["amy", "CASUAL"], [first.id]),
        (["--entity", "person:hoy-amy"], [first.id]),
        (["--entity", "amy"], [first.id]),
        (["--entity", "hoy-amy", "--type", "correction"], []),
        (["--type", "commitment", "--type", "gap"], [first.id]),
        (["--state", "held", "--state", "retired"], [first.id, second.id]),
        (["--category", "Email"], [first.id]),
        (["--seen", "2"], [first.id]),
        (["--confidence", "50"], [first.id]),
        (["--since", "2026-11-02"], []),
        (["--state", "active"], []),
        (["--state", "held", "--scope", "project"], [first.id, second.id]),
        (["nothing like it"], []),
    ):
        ran = person.lane("mem", "list", *words, "--json")
        assert sorted(memory["id"] for memory in ran.data) == found, words
    assert "No memories match" in person.lane("mem", "list", "--seen", "9").err


def test_the_card_shows_the_words_it_stands_on_and_who_said_them(person: Person) -> None:
    person.claude_run("one", "no, never force-push to main")
    (run,) = [change["run"] for change in person.lane("capture", "--json").data]
    caught(person, held("m_aaaaaaaaaaaa1", HELD, run=run))
    shown = person.lane("mem", "show", "m_aaaaaaaaaaaa1").out
    assert f"Source      {run}#t1.1 claude-code @" in shown
    assert "  you  no, never force-push to main" in shown
    assert "Why kept    the person corrected the agent" in shown
    assert person.lane("mem", "show", "m_aaaaaaaaaaaa1", "--json").document["meta"]["said"][0]["author"] == "person"
    person.lane("forget", run)
    assert "the run is gone" in person.lane("mem", "show", "m_aaaaaaaaaaaa1").out


# -- correct, merge, undo ----------------------------------------------------------------------------------------------


def test_each_act_says_its_undo_and_the_undo_works(person: Person) -> None:
    memory = person.lane("remember", "deploys go through make ship", "--json").data["id"]
    other = person.lane("mem", "add", "ship with make", "--title", "Shipping", "--json").data["id"]
    before = person.lane("mem", "list", "--state", "all", "--json").data
    for words in (
        ["edit", memory, "--title", "Ship", "--type", "decision"],
        ["pause", memory],
        ["standing", memory],
        ["forget", memory, other],
        ["merge", memory, other],
    ):
        undo = str(person.lane("mem", *words, "--json").document["meta"]["undo"])
        assert person.lane("mem", "list", "--state", "all", "--json").data != before
        assert person.lane(*undo.split()[1:]).code == 0
        assert person.lane("mem", "list", "--state", "all", "--json").data == before


def test_history_says_who_did_what_with_before_and_after(person: Person) -> None:
    memory = person.lane("remember", "deploys go through make ship", "--json").data["id"]
    person.lane("mem", "edit", memory, "--confidence", "70")
    person.lane("mem", "pause", memory)
    told = [record[1:] for record in person.lane("mem", "history", memory).records]
    assert told[0] == ["you", "made by person, active", ""]
    assert told[1] == ["you", "changed", "confidence: 90 -> 70"]
    assert told[2] == ["you", "paused, it was active", "state: active -> paused"]


def test_history_shows_where_a_long_text_was_changed(person: Person) -> None:
    text = "the belt is oiled by hand " * 20 + "on Mondays"
    memory = person.lane("remember", text, "--title", "The belt", "--json").data["id"]
    person.lane("mem", "edit", memory, "--content", text.replace("Mondays", "Fridays"))
    changed = person.lane("mem", "history", memory).records[1][3]
    assert changed.startswith("content: …")
    assert "on Mondays -> …" in changed
    assert changed.endswith("on Fridays")


def test_undo_by_number_is_a_line_of_its_list(person: Person) -> None:
    memory = person.lane("remember", "deploys go through make ship", "--json").data["id"]
    person.lane("mem", "edit", memory, "--title", "Ship")
    assert [record[2] for record in person.lane("undo", "--list").records] == ["done", "done"]
    assert person.lane("undo", "1").code == 0
    assert person.lane("mem", "show", memory, "--json").data["title"] == "deploys go through make ship"
    assert [record[2] for record in person.lane("undo", "--list").records] == ["done", "undone", "done"]
    assert person.lane("undo", "2").code == 2


def test_forgotten_for_good_shows_a_plan_asks_and_leaves_no_word(person: Person) -> None:
    memory = person.lane("remember", "the xylophone is in the attic", "--json").data["id"]
    assert person.lane("mem", "forget", memory, "--now").code == 2, "nobody was asked"
    planned = person.lane("mem", "forget", memory, "--now", "--dry-run")
    assert "1 journal line" in planned.err
    assert state_of(person, memory) == "active"
    assert person.lane("mem", "forget", memory, "--now", "--yes").code == 0
    assert not [p for p in person.home.rglob("*") if p.is_file() and b"xylophone" in p.read_bytes()]
    assert "deleted" in person.lane("mem", "show", memory).out
    assert person.lane("mem", "restore", memory).code == 2


# -- titles and outcomes -----------------------------------------------------------------------------------------------


def test_a_title_of_ones_own_is_kept_and_given_back(person: Person) -> None:
    person.claude_run("one", "deploy the shop")
    (run,) = [change["run"] for change in person.lane("capture", "--json").data]
    agents = person.lane("title", run, "--json").document["meta"]["title"]
    assert person.lane("title", run, "The", "release", "--json").document["meta"]["own"] == "The release"
    person.lane("tag", run, "+x")
    assert person.lane("runs", "--json").data[0]["title"] == "The release"
    assert person.lane("title", run, "--clear", "--json").document["meta"]["title"] == agents
    assert person.lane("undo").code == 0
    assert person.lane("runs", "--json").data[0]["title"] == "The release"


def test_a_model_gives_a_title_only_where_one_is_set_up_and_only_a_title(person: Person) -> None:
    person.claude_run("one", "deploy the shop")
    (run,) = [change["run"] for change in person.lane("capture", "--json").data]
    assert "no model is set up" in person.lane("title", run, "--ask").err
    asked = {"LANE_CATCH_MODEL": "command", "LANE_CATCH_COMMAND": editor(person, 'cat > heard; echo "$SAID"')}
    told = person.lane("title", run, "--ask", "--json", SAID='Sure: {"title": "Deploying the shop"}', **asked)
    assert told.document["meta"]["own"] == "Deploying the shop"
    (heard,) = person.lane_home.rglob("heard")
    assert "deploy the shop" in heard.read_text()
    nonsense = person.lane("title", run, "--ask", SAID="I cannot do that", **asked)
    assert nonsense.code == 1
    assert person.lane("runs", "--json").data[0]["title"] == "Deploying the shop"


def test_an_outcome_is_of_the_run_named_or_of_this_folder(person: Person) -> None:
    person.claude_run("one", "deploy the shop")
    (run,) = [change["run"] for change in person.lane("capture", "--json").data]
    assert person.lane("outcome", run[:8], "success", "--json").document["meta"]["run"] == run
    assert person.lane("outcome", "success").code == 2, "no run was here"
    assert person.lane("outcome", run, "maybe").code == 2


# -- import ------------------------------------------------------------------------------------------------------------


def test_import_is_shown_first_and_taken_on_a_yes(person: Person) -> None:
    own = person.home / ".claude" / "CLAUDE.md"
    own.parent.mkdir(parents=True)
    own.write_text("- Never use ellipses in messages\n")
    app = person.home / "app"
    (app / ".git").mkdir(parents=True)
    (app / "AGENTS.md").write_text("- Never force-push to main\n")
    shown = person.lane("mem", "import", "app", str(own), "--dry-run")
    assert [record[1:3] for record in shown.records] == [["AGENTS.md", "1"], ["~/.claude/CLAUDE.md", "1"]]
    assert person.lane("mem", "import", "app").code == 2, "nobody said yes"
    assert person.lane("mem", "list", "--json").data == []
    made = person.lane("mem", "import", "app", str(own), "--yes", "--json")
    assert [(b["place"], [m["state"] for m in b["new"]]) for b in made.data] == [
        ("AGENTS.md", ["held"]),
        ("~/.claude/CLAUDE.md", ["active"]),
    ]
    assert person.lane("mem", "import", "app", "--yes").out == ""


def test_import_of_nothing_new_says_so(person: Person) -> None:
    (person.home / "app" / ".git").mkdir(parents=True)
    assert person.lane("mem", "import", "app").err == "No such files found.\n"
    (person.home / "app" / "AGENTS.md").write_text("- Never force-push to main\n")
    assert person.lane("mem", "import", "app", "--yes").code == 0
    again = person.lane("mem", "import", "app")
    assert (again.code, again.out, again.err) == (0, "", "Nothing new in these files.\n")


def test_a_person_is_told_what_was_undone_by_what_it_says(person: Person) -> None:
    made = person.lane("remember", "Ask before deleting", "--json").data
    assert person.lane("mem", "pause", made["id"]).code == 0
    assert 'paused: "Ask before deleting"' in person.on_screen("undo", "--list").out
    assert 'Undone: paused: "Ask before deleting"' in person.on_screen("undo").out
    assert person.lane("undo", "--list").records[1][3] == f"paused: {made['id']}"


def test_import_asks_for_each_file_what_a_yes_means(person: Person) -> None:
    for name in ("one", "two", "three"):
        (person.home / name / ".git").mkdir(parents=True)
        (person.home / name / "AGENTS.md").write_text(f"- Never force-push from {name}\n")
    with seated(person, "mem", "import", "one", "two", "three", rows=60) as seat:
        seat.sees("approve all for recall")
        seat.press("xah")
        seat.sees("force-push from three")
        seat.press("s")
        seat.sees("2 memories made, 1 of them held.")
        assert seat.ends() == 0
    states = {m["project"]: m["state"] for m in person.lane("mem", "list", "--json").data}
    assert states == {"one": "active", "two": "held"}


# -- at a terminal -----------------------------------------------------------------------------------------------------


def test_review_is_one_key_for_each_and_undo_goes_back(person: Person) -> None:
    names = [f"m_aaaaaaaaaaaa{n}" for n in (1, 2, 3, 4)]
    titles = ["Never force-push", "Ask before deleting", "Tests use pytest", "Fridays are for mail"]
    caught(person, *(held(n, t, 59 - i) for i, (n, t) in enumerate(zip(names, titles, strict=True))))
    with seated(person, "mem", "review", rows=200) as seat:
        seat.sees(titles[0], "no, never force-push", "1 of 4", "y keep  n forget")
        seat.press("n")
        seat.sees(titles[1], "2 of 4")
        seat.press("u")
        seat.sees("Undone.")
        seat.press("y")
        seat.sees("Kept.")
        seat.press("s")
        seat.sees(titles[2], "3 of 4")
        seat.press("p")
        seat.sees(titles[3], "4 of 4")
        seat.press("q")
        seat.sees("1 kept, 1 paused; 2 memories held.")
        assert seat.ends() == 0
        assert seat.cooked
    assert [state_of(person, name) for name in names] == ["active", "held", "paused", "held"]


def test_review_in_a_pipe_is_a_list_the_surest_first(person: Person) -> None:
    person.lane("remember", "deploys go through make ship")
    assert "Nothing to review" in person.lane("mem", "review").err
    caught(person, held("m_aaaaaaaaaaaa1", HELD, 41), held("m_aaaaaaaaaaaa2", "Ask before deleting", 59))
    assert [record[0] for record in person.lane("mem", "review").records] == ["m_aaaaaaaaaaaa2", "m_aaaaaaaaaaaa1"]
    assert [m["confidence"] for m in person.lane("review", "--json").data] == [59, 41]


def editor(person: Person, script: str) -> str:
    path = person.home / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def kept(person: Person, memory: str) -> Path:
    return person.lane_home / "run" / "edits" / f"{memory}.md"


def test_an_editor_gets_a_form_and_what_is_saved_is_taken(person: Person) -> None:
    memory = person.lane("remember", "deploys go through make ship", "--json").data["id"]
    program = editor(person, 'sed -i "s/^title:.*/title: Ship with make/; s/^confidence:.*/confidence: 75/" "$1"')
    seen = person.on_screen("mem", "edit", memory, EDITOR=program)
    assert "Changed: Ship with make" in seen.out
    found = person.lane("mem", "show", memory, "--json").data
    assert (found["title"], found["confidence"]) == ("Ship with make", 75)
    assert not kept(person, memory).exists()
    assert "Not changed" in person.on_screen("mem", "edit", memory, EDITOR="true").out


def test_an_invalid_form_says_what_is_wrong_and_the_persons_text_is_never_lost(person: Person) -> None:
    memory = person.lane("remember", "deploys go through make ship", "--json").data["id"]
    wrong = editor(person, 'sed -i "s/^type:.*/type: rumour/; s/make ship/a long text of mine/" "$1"')
    with seated(person, "mem", "edit", memory, VISUAL=wrong) as seat:
        seat.sees("wrong: type: 'rumour' is not one of", "Edit it again?")
        seat.press("n\n")
        seat.sees("your text is saved in")
        assert seat.ends() == 2
    assert "a long text of mine" in kept(person, memory).read_text()
    assert stat.S_IMODE(kept(person, memory).stat().st_mode) == 0o600
    assert person.lane("mem", "show", memory, "--json").data["content"] == "deploys go through make ship"
    right = editor(person, 'sed -i "s/^type:.*/type: learning/" "$1"')
    person.on_screen("mem", "edit", memory, EDITOR=right)
    found = person.lane("mem", "show", memory, "--json").data
    assert (found["type"], found["content"]) == ("learning", "deploys go through a long text of mine")
    assert not kept(person, memory).exists()


def test_a_held_one_is_edited_in_the_review_and_a_failed_edit_does_not_end_it(person: Person) -> None:
    caught(person, held("m_aaaaaaaaaaaa1", HELD))
    fails_once = "[ -e failed ] || { touch failed; exit 1; }\n"
    once = fails_once + 'sed -i "s/^title:.*/title: Never force-push at all/" "$1"'
    with seated(person, "mem", "review", rows=200, EDITOR=editor(person, once)) as seat:
        seat.sees("1 of 1")
        seat.press("e")
        seat.sees("ended with 1: your text is in")
        seat.press("e")
        seat.sees("Never force-push at all")
        seat.press("y")
        assert seat.ends() == 0
    found = person.lane("mem", "show", "m_aaaaaaaaaaaa1", "--json").data
    assert (found["title"], found["state"], found["confidence"]) == ("Never force-push at all", "active", 80)


def test_an_editor_that_fails_keeps_the_text_and_a_pipe_has_no_editor(person: Person) -> None:
    memory = person.lane("remember", "deploys go through make ship", "--json").data["id"]
    failing = editor(person, 'sed -i "s/make ship/my words/" "$1"; exit 3')
    assert "ended with 3" in person.on_screen("mem", "edit", memory, EDITOR=failing).out
    assert "my words" in kept(person, memory).read_text()
    assert person.lane("mem", "edit", memory, EDITOR=failing).code == 2


def test_a_sentence_that_is_title_text_and_quote_is_printed_once(person: Person) -> None:
    made = person.lane("remember", "Charts go out on Fridays.", "--json").data["id"]
    assert person.lane("mem", "show", made).out.count("Charts go out on Fridays") == 1
    person.lane("mem", "edit", made, "--title", "Charts go out on Mondays")
    shown = person.lane("mem", "show", made, "--json").data
    assert (shown["title"], shown["content"]) == ("Charts go out on Mondays", "Charts go out on Mondays")
    assert person.lane("mem", "show", made).out.count("Charts go out on Mondays") == 1
