"""The card above the prompt of the real Claude Code: seen, voted on, asked, taken back, and never in the way."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from memlane.domain import Memory, Occasion
from tests.acceptance.hooks import until
from tests.acceptance.test_claude_code import BEYOND_ITS_TITLE, PROMPT, SAID, AtHome, set_up
from tests.acceptance.test_claude_model import LESSON as READ_LESSON
from tests.acceptance.test_claude_model import SCRIPT
from tests.clients.drive import ClaudeCode
from tests.clients.fake_model import fake_model
from tests.clients.screen import AgentScreen, at_screen
from tests.conftest import LaneHome, must_have
from tests.flow.homes import SESSION, answer, prompt, said, write

TITLE = "Deploys of the shop go through make ship"
KEYS = ("1: useful", "2: not useful", "3: why")
RULE = "Answer in whole sentences"
STORY, DOING = "Tell the old story of the lighthouse, its keeper, a storm and three gulls", "kubectl apply, then?"
LESSON = "Add every new workspace package"
TEACHING = f"from now on {LESSON[0].lower()}{LESSON[1:]} to the Dockerfile COPY list. @@say understood@@"

pytestmark = pytest.mark.client


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AtHome]:
    """One home for all of these: each client takes seconds to start."""
    must_have("claude")
    home = tmp_path_factory.mktemp("h")
    lane_home = LaneHome(home, home / ".memlane")
    with fake_model() as model, pytest.MonkeyPatch.context() as patch:
        for name, value in lane_home.variables.items():
            patch.setenv(name, value)

        def claude(cwd: str = "project", **variables: str) -> ClaudeCode:
            return ClaudeCode(home, home / cwd, model, {**lane_home.variables, **variables})

        with set_up(lane_home, claude) as made:
            with made.hooked.lane() as lane:
                lane.memories.remember(RULE, made.hooked.project, occasion=Occasion(always=True))
                for who in ("Adam K", "Adam W"):
                    lane.entities.add(who, "person")
                    lane.memories.remember(f"{who} wants the deck with MARK-of-{who[-1]}", made.hooked.project)
            made.hooked.command("daemon", "start")
            yield made


@pytest.fixture(scope="module")
def screen(at_home: AtHome) -> Iterator[AgentScreen]:
    with at_screen(at_home.claude()) as seat:
        yield seat


@pytest.fixture(autouse=True)
def new_context(screen: AgentScreen) -> None:
    """Nothing was told in it yet but the standing rule."""
    screen.says("/clear")
    screen.sees_no("1: useful", "1: undo")


def votes(home: AtHome) -> list[tuple[bool, str]]:
    """On the note, and by whom; "" is the person."""
    with home.hooked.lane() as lane:
        (note,) = [memory for memory in lane.memories.all() if memory.title.startswith(TITLE)]
        return [(one.up, one.by) for one in lane.recall.feedback.verdicts(note.id)]


def memories(home: AtHome, starting: str) -> list[Memory]:
    with home.hooked.lane() as lane:
        return [memory for memory in lane.memories.all() if memory.title.startswith(starting)]


def test_what_a_start_gave_is_said_in_one_line(screen: AgentScreen) -> None:
    screen.asks_until_seen("/clear", "lane: 1 standing rule")


def test_a_note_is_seen_explained_and_voted_on(at_home: AtHome, screen: AgentScreen) -> None:
    screen.asks_until_seen(f"{PROMPT} {SAID}", "all is well", f"lane: {TITLE}", *KEYS)
    screen.chooses("3", "by person;")
    screen.chooses("1", "lane: noted")
    assert until(lambda: (True, "") in votes(at_home)), screen.text
    assert at_home.claude().model.turns[-1].text.count(BEYOND_ITS_TITLE) == 1  # not by the command hook too


def test_what_the_agent_says_brings_a_note_that_it_is_given_when_the_person_goes_on(
    at_home: AtHome, screen: AgentScreen
) -> None:
    screen.asks_until_seen(f"{STORY} @@say {DOING}@@", DOING, f"lane: {TITLE}", *KEYS)
    before = at_home.claude().model.turns
    assert not before[-1].holds(BEYOND_ITS_TITLE)
    screen.says("yes")
    told = lambda: any(turn.holds(BEYOND_ITS_TITLE) for turn in at_home.claude().model.turns[len(before) :])  # noqa: E731
    assert until(told), screen.text


def test_a_name_is_asked_about_and_the_answer_reaches_this_very_prompt(at_home: AtHome, screen: AgentScreen) -> None:
    question = "what do I tell Adam about the deck? @@say done@@"
    screen.asks_until_seen(question, "Which Adam?", "1: Adam K", "2: Adam W", "3: go on")
    screen.chooses("2")
    assert until(lambda: any(turn.holds("MARK-of-W") for turn in at_home.claude().model.turns)), screen.text
    assert not any(turn.holds("MARK-of-K") for turn in at_home.claude().model.turns)


def test_a_teaching_is_confirmed_and_taken_back_with_one_key(at_home: AtHome, screen: AgentScreen) -> None:
    screen.asks_until_seen(TEACHING, "understood", f"lane: kept: {LESSON}", "1: undo")
    assert until(lambda: len(memories(at_home, LESSON)) == 1)
    screen.chooses("1", f"lane: undone: {LESSON}")
    assert until(lambda: memories(at_home, LESSON) == [])


def test_the_card_yields_while_the_agent_waits_for_a_number(at_home: AtHome, screen: AgentScreen) -> None:
    before = len(votes(at_home))
    choice = "@@say Which way? 1) make ship 2) something else. Reply with a number.@@"
    screen.asks_until_seen(f"{PROMPT} {choice}", "Reply with a number", f"lane: {TITLE}")
    screen.sees_no(*KEYS)
    screen.press("1")
    screen.sees("❯ 1")
    assert len(votes(at_home)) == before
    screen.press("\x7f")


def test_commands_are_answered_without_the_model(at_home: AtHome, screen: AgentScreen) -> None:
    screen.asks_until_seen(f"{PROMPT} {SAID}", "all is well", f"lane: {TITLE}")
    screen.says("/lane:why")
    screen.sees("by person;")
    screen.says("/lane:remember The tide table hangs beside the harbour door")
    screen.sees("Kept as m_")
    screen.says("/lane:off")
    screen.sees("lane: off for this run")
    assert not any(request.holds("Keep this note in Memory Lane") for request in at_home.claude().model.requests)
    assert len(memories(at_home, "The tide table hangs")) == 1


def test_an_open_session_reads_for_us_once_the_person_has_said_yes(at_home: AtHome, screen: AgentScreen) -> None:
    folder = at_home.hooked.home / ".claude" / "projects" / "-home-dev-app"
    folder.mkdir(parents=True)
    window = [
        prompt("Send an email to Amy", 1),
        answer([said("Dear Ms Hoy,")], 1),
        prompt(f"No, Amy and I are casual, use a friendly tone {SCRIPT}", 2),
        answer([said("Hi Amy!")], 2),
    ]
    write(folder / f"{SESSION}.jsonl", window)
    at_home.hooked.command("capture", "--quiet")
    assert at_home.hooked.command("catch", "setup", "--with", "claude-session").returncode == 0
    transcripts = len(at_home.transcripts())
    screen.says(f"go on {SAID}")  # it reads at the end of a turn
    screen.sees("all is well")
    mailbox = at_home.hooked.path / "catch" / "session"
    assert until(lambda: screen.rests() or (mailbox / "open").exists(), looks=200)

    def read() -> bool:
        screen.rests()
        done = json.loads(at_home.hooked.command("catch", "--with", "model", "--json").stdout)
        return [memory["title"] for memory in done["data"]["made"]] == [READ_LESSON["title"]]

    assert until(read, looks=5), screen.text
    (asked,) = [request for request in at_home.claude().model.requests if "lane-window nonce=" in request.text]
    assert not asked.is_turn, "no tools are sent along"
    assert len(at_home.transcripts()) == transcripts
    assert sorted(path.name for path in mailbox.iterdir()) == ["asked", "open"]
