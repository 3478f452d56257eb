"""Memory in the real Claude Code: the right note in the right request, once, or silence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.home import now
from memlane.app.home.journal import memory_line
from memlane.config import load
from memlane.domain import Mention
from tests.acceptance.hooks import until
from tests.acceptance.test_claude_code import BEYOND_ITS_TITLE, PROMPT, SAID, AtHome, set_up
from tests.clients.drive import ClaudeCode
from tests.conftest import LaneHome

OF_FILE = (
    "Mail that fails is sent again, but src/mail/send.py never retries on a 4xx. The reason is the provider, who "
    "blocked us for a day when we did MARK-retry"
)
BEFORE, AFTER = "retries = 0", "retries = 3"


@pytest.fixture
def at_home(lane_home: LaneHome, claude: Callable[..., ClaudeCode]) -> Iterator[AtHome]:
    with set_up(lane_home, claude) as made:
        made.hooked.command("daemon", "start")
        yield made


def written(at_home: AtHome, name: str, text: str) -> Path:
    path = at_home.hooked.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def call(tool: str, **given: str) -> str:
    return f"@@call {tool} {json.dumps(given)}@@"


def unnamed(tool: str, path: Path, **given: str) -> str:
    """The same, with the path so written that nobody who reads the prompt knows it."""
    hidden = "".join(f"\\u{ord(letter):04x}" for letter in str(path))
    return call(tool, file_path="PATH", **given).replace("PATH", hidden)


def asked(at_home: AtHome, count: int) -> list[dict[str, object]]:
    assert until(lambda: len(at_home.recalls()) >= count)
    return at_home.recalls()


def nonces(at_home: AtHome) -> list[str]:
    """Of what was told on prompts and files, oldest first."""
    with at_home.hooked.lane() as lane:
        told = [one for one in lane.recall.newest(50) if one.shown and one.query.moment != "start"]
    return [one.nonce for one in reversed(told)]


# -- the file that is touched ------------------------------------------------------------------------------------------


def test_reading_a_file_brings_the_correction_into_the_request_in_which_the_edit_is_written(at_home: AtHome) -> None:
    send, other = written(at_home, "src/mail/send.py", BEFORE), written(at_home, "src/mail/read.py", BEFORE)
    with at_home.hooked.lane() as lane:
        lane.memories.remember(OF_FILE, at_home.hooked.project)
    read, look = unnamed("Read", send), unnamed("Read", other)
    edit = unnamed("Edit", send, old_string=BEFORE, new_string=AFTER)
    session = at_home.run(f"make it more robust {look} {read} {edit} {SAID}", "--allowedTools", "Edit")
    assert (session.exit_code, send.read_text()) == (0, AFTER)
    first, looked_at, edits, last = session.turns
    assert [turn.holds("MARK-retry") for turn in (first, looked_at, edits)] == [False, False, True]
    assert last.text.count("MARK-retry") == edits.text.count("MARK-retry")
    told = [each for each in asked(at_home, 3) if each["moment"] == "file"]
    assert [each["outcome"] for each in told].count("shown") == 1


def test_a_subagent_has_the_note_on_its_file_too_and_is_kept_when_it_ends(at_home: AtHome) -> None:
    send = written(at_home, "src/mail/send.py", BEFORE)
    with at_home.hooked.lane() as lane:
        lane.memories.remember(OF_FILE, at_home.hooked.project)
    prompt = f"look at it {unnamed('Read', send)}"
    task = call("Task", description="look", subagent_type="general-purpose", prompt=prompt)

    def told() -> list[bool]:
        session = at_home.run(f"let somebody look {task} {SAID}", "--allowedTools", "Task,Agent")
        its = [turn for turn in session.turns if turn.holds("look at it") and not turn.holds(SAID)]
        return [turn.holds("MARK-retry") for turn in its]

    assert until(lambda: told() == [False, True], looks=4), "on a crowded machine an answer may come too late"
    assert until(lambda: len(at_home.kept()) >= 2 and at_home.kept() == at_home.wrote(), looks=300)


# -- from one run to the next ------------------------------------------------------------------------------------------


def later() -> datetime:
    return now() + timedelta(hours=1)


def test_a_memory_caught_from_one_run_is_in_the_models_request_of_the_next(at_home: AtHome) -> None:
    at_home.hooked.command("config", "set", "catch.teachings", "false")  # what a reader makes of it, alone
    said = "no, letters to the harbour office are always signed by Ines, remember that"
    at_home.run(f"{said} {SAID}")
    at_home.hooked.command("capture", "--quiet")
    lesson = {
        "type": "correction",
        "title": "Letters to the harbour office are signed by Ines",
        "content": "Every letter to the harbour office is signed by Ines, nobody else MARK-ines.",
        "quotes": [{"step": "t1.1", "words": "letters to the harbour office are always signed by Ines"}],
        "reasoning": "The person said so.",
        "confidence": 95,
    }
    with Lane(load(at_home.hooked.variables), later) as lane:  # an hour on, so that the run counts as over
        handed = lane.catch.assignments.next("reader")
        assert handed is not None
        taken = lane.catch.assignments.submit(handed.token, json.dumps({"memories": [lesson]}))
        (made,) = taken.caught.made
    at_home.hooked.command("mem", "keep", made.id)  # nobody typed in a run of `claude -p`: it waits for a yes
    next_run = at_home.run("draft a letter to the harbour office and say who signs it")
    assert next_run.stdout.strip() == "saw: MARK-ines"


# -- silence, and asking -----------------------------------------------------------------------------------------------


def test_yes_brings_nothing_and_two_adams_make_the_agent_ask(at_home: AtHome) -> None:
    people = at_home.hooked.home / "people"
    people.mkdir()
    for slug, name in (("king-adam", "Adam King"), ("tetterus-adam", "Adam Tetterus")):
        (people / f"{slug}.md").write_text(f"# {name}\n")
    at_home.hooked.command("config", "set", "entities.folders", f"person={people}")
    with at_home.hooked.lane() as lane:
        for slug, when in (("king-adam", "on Tuesdays"), ("tetterus-adam", "on Fridays")):
            words = f"Dates: the next meeting with Adam is always {when} MARK-{slug}"
            memory = lane.memories.remember(words, at_home.hooked.project, title=f"Dates {slug}")
            about = (Mention("person", "Adam", slug, resolved=True),)
            lane.acts.writer.write([memory_line(replace(memory, related_entities=about))])
    silent = at_home.run(f"yes {SAID}")
    assert not silent.saw("MARK-")
    unclear = at_home.run("when is my next meeting with Adam?")
    assert unclear.stdout.strip() == "saw: none"
    assert unclear.saw("Ask the user which one is meant")
    assert unclear.saw("Adam King (person:king-adam) or Adam Tetterus (person:tetterus-adam)")


# -- once, and again ---------------------------------------------------------------------------------------------------


def test_each_note_once_after_a_compaction_again_and_never_when_switched_off(at_home: AtHome) -> None:
    at_home.run(PROMPT)
    asked(at_home, 2)
    again = at_home.run(PROMPT, "--continue")
    (first,) = nonces(at_home)
    assert again.saw(first)
    at_home.run("/compact", "--continue")
    asked(at_home, 5)
    after = at_home.run(PROMPT, "--continue")
    assert until(lambda: len(nonces(at_home)) == 2)
    _first, second = nonces(at_home)
    assert after.saw(second)
    assert not after.saw(first)
    off = at_home.run("/lane:off")
    assert "off for this run" in off.stdout
    assert off.turns == [], "nobody asks the model"
    before = len(asked(at_home, 2))
    unasked = at_home.run(PROMPT, "--continue")
    assert not unasked.saw(BEYOND_ITS_TITLE)
    (*_others, last) = asked(at_home, before + 1)
    assert (last["outcome"], last["why"]) == ("not-looked", "it is off for this run (/lane:off)")


# -- what a person can say ---------------------------------------------------------------------------------------------


def test_the_commands_of_the_plugin_do_what_they_say(at_home: AtHome) -> None:
    at_home.run(PROMPT)
    asked(at_home, 2)
    why = at_home.run("/lane:why", "--continue")
    assert "make ship" in why.stdout
    remembered = at_home.run("/lane:remember Tea is at four, it's $5")
    assert "Kept as m_" in remembered.stdout
    assert [*why.turns, *remembered.turns] == [], "nobody asks the model"
    with at_home.hooked.lane() as lane:
        assert "Tea is at four, it's $5" in {memory.content for memory in lane.memories.all()}
    reading = at_home.run(f"/lane:catch 1 {call('Bash', command='lane catch next', description='read')} {SAID}")
    assert reading.saw("No window is open")
    looked = call("Bash", command='lane recall --json "deploys of the shop"', description="look")
    assert at_home.run(f"/lane:recall deploys of the shop {looked}").stdout.strip() == f"saw: {BEYOND_ITS_TITLE}"
