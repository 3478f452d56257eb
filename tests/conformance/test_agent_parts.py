"""Every agent through every place that lists agents; and a made-up one, by its folder and one line alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from memlane.agents import AGENTS, Agent, Registry
from memlane.agents.agent import PARTS
from memlane.agents.conformance import check
from memlane.app.notes.places import notes_of
from memlane.domain import RunFilter
from memlane.surfaces.cli.catch_setup import CHOICES
from memlane.surfaces.daemon import protocol
from memlane.surfaces.hooks import client
from memlane.surfaces.mcp import transport
from tests.flow.homes import a_lane

ROOT = Path(__file__).parents[2]
FOLDERS = {path.parent.name for path in (ROOT / "src" / "memlane" / "agents").glob("*/__init__.py")}
ALL = list(Registry().values())
each = pytest.mark.parametrize("agent", ALL, ids=lambda agent: agent.name)

HERON_AGENT = """
from memlane.agents import Agent, Variables
AGENT = Agent(
    "heron",
    "Heron",
    parts={
        "source": "heron_agent.source:Heron",
        "resume": "heron_agent.resume:HeronResume",
        "own_notes": "heron_agent.notes:NOTES",
    },
    variables=Variables(shell=("HERON",), run=("HERON_RUN",), homes=("HERON_HOME",)),
)
"""
HERON_NOTES = """
from memlane.agents.notes import NoteFiles
NOTES = NoteFiles(in_checkout=("HERON.md",), nested=("HERON.md",), folder=".heron", own=("HERON.md",))
"""
GUIDE = (ROOT / "docs" / "guides" / "add-an-agent.md").read_text()


def between(text: str, begin: str, end: str = "```") -> str:
    return text.partition(begin)[2].partition(end)[0]


@pytest.fixture
def heron(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """The reader of the walk-through under another name, in a folder of its own, and one line in the table."""
    folder = tmp_path / "site" / "heron_agent"
    folder.mkdir(parents=True)
    source = between(GUIDE, "```python\n").replace("Parrot", "Heron").replace('"parrot"', '"heron"')
    (folder / "__init__.py").write_text(HERON_AGENT)
    (folder / "source.py").write_text(source.replace(".parrot", ".heron"))
    (folder / "notes.py").write_text(HERON_NOTES)
    (folder / "resume.py").write_text(
        between(GUIDE, "```python\n# resume.py\n").replace("Parrot", "Heron").replace("parrot", "heron")
    )
    monkeypatch.syspath_prepend(str(folder.parent))
    table: Mapping[str, str] = {**AGENTS, "heron": "heron_agent:AGENT"}
    monkeypatch.setattr("memlane.agents.registry.AGENTS", table)
    return Registry()["heron"]


def test_every_folder_of_an_agent_is_in_the_table() -> None:
    named = {where.partition(":")[0].rpartition(".")[2] for where in AGENTS.values()}
    assert named == FOLDERS


@each
def test_its_parts_are_what_they_say(agent: Agent) -> None:
    assert AGENTS[agent.name]
    assert set(agent.parts) <= set(PARTS)
    if "source" in agent.parts:
        assert (agent.source.name, agent.source.title) == (agent.name, agent.title)
    for part in agent.parts:
        assert isinstance(getattr(agent, part), PARTS[part]), part


@each
def test_it_is_read_or_told(agent: Agent) -> None:
    """One that is only told says at which moments."""
    assert "source" in agent.parts or (agent.told and {"hooks", "install"} <= set(agent.parts))
    assert (agent.name in Registry().sources) is ("source" in agent.parts)


@pytest.mark.parametrize("agent", Registry().with_part("source"), ids=lambda agent: agent.name)
def test_it_has_a_page_and_transcripts(agent: Agent) -> None:
    assert (ROOT / "docs" / "sources" / f"{agent.name}.md").is_file()
    assert any((ROOT / "tests" / "fixtures" / "transcripts" / agent.name).iterdir())


def test_no_two_agents_are_known_by_the_same_variable() -> None:
    shells = [name for agent in ALL for name in agent.variables.shell]
    assert len(set(shells)) == len(shells)


def test_the_hook_that_stands_alone_says_what_the_agents_say() -> None:
    """It imports nothing of ours, so it repeats a little of what their folders hold."""
    agents = Registry()
    assert set(client.BORROWERS) == {agent.variables.borrows.encode() for agent in ALL if agent.variables.borrows}
    homes = {name for agent in agents.with_part("hooks") for name in agent.variables.homes}
    assert {name.decode() for name in client.MOVED} == protocol.MOVED == homes
    assert client.CLAUDE_CODE in agents
    assert set(client.READS_BY_SHELL) <= set(agents)
    start = {"session_id": "s", "cwd": "/p"}
    calls = {agent.name: agent.hooks.hook_call("SessionStart", start) for agent in ALL if agent.hooks}
    assert set(client.MISSES_PROMPTS) == {name for name, call in calls.items() if call and call.unheard}


def test_the_mcp_server_says_what_its_agent_says() -> None:
    told = [agent.variables for agent in ALL if agent.variables.project]
    assert [(one.project, one.run) for one in told] == [(transport.PROJECT_VARIABLE, (transport.RUN_VARIABLE,))]


def test_a_made_up_agent_is_everywhere_by_its_folder_and_one_line(heron: Agent, tmp_path: Path) -> None:
    talk = tmp_path / "home" / ".heron" / "talks" / "talk-0001.jsonl"
    talk.parent.mkdir(parents=True)
    talk.write_text(between(GUIDE, "```json\n"))
    check(heron.source, talk.parent)
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "HERON.md").write_text("- Boats are counted at noon.\n")
    lane = a_lane(tmp_path, HERON="1", HERON_RUN="talk-0001")
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter(agent="heron"))
    assert (run.agent, run.turns) == ("heron", 1)
    assert lane.home.agent == "heron"
    assert lane.home.agents.caller(lane.config.variables).native_id == "talk-0001"
    assert "HERON_HOME" in lane.setup.computer.homes
    assert lane.runs.resume(run) == f"lane resume {run.id}"
    talk.unlink()
    plan = lane.resume.plan(run.id, checkout, checkout)
    assert plan.command == ("heron", "resume", "talk-0001")
    assert [file.path for file in lane.resume.put_back(plan).files] == [talk]
    assert "/home/dev/app" not in talk.read_text()
    assert [page.place for page in notes_of(lane.home).below(checkout)] == ["HERON.md"]
    assert "heron" in lane.home.sources
    assert "Heron" in {agent.title for agent in lane.setup.look().agents}


@pytest.mark.parametrize("agent", Registry().with_part("resume"), ids=lambda agent: agent.name)
def test_what_is_typed_to_go_on_with_a_run_names_it(agent: Agent) -> None:
    assert agent.resume is not None
    assert any("0123456789" in word for word in agent.resume.command("0123456789"))
    said = agent.resume.command("0123456789", "go on")
    assert said[-1] == "go on" or (agent.name == "opencode" and said == agent.resume.command("0123456789"))
    assert agent.resume.begin("here is what happened")[-1] == "here is what happened"


@pytest.mark.parametrize("agent", Registry().with_part("headless"), ids=lambda agent: agent.name)
def test_an_agent_that_reads_for_us_can_be_chosen_and_tells_its_answer_from_any_text(
    agent: Agent, tmp_path: Path
) -> None:
    assert agent.headless is not None
    assert agent.headless.command.split()[0] in CHOICES
    assert agent.headless.output(b"plain words") is None
    assert agent.headless.overhead(quiet=True) <= agent.headless.overhead(quiet=False)
    own, system = tmp_path / "own", "the system prompt"
    files = agent.headless.files(system, tmp_path, own)
    told = [*agent.headless.options("", system, own, quiet=True), *agent.headless.settings(system, own).values()]
    assert any(system in text for text in (*told, *files.values()))
    assert all(path.is_relative_to(tmp_path) for path in files)
    assert "tiny" in agent.headless.options("tiny", system, own, quiet=True)


def test_an_agent_we_start_is_no_part_of_the_run_that_calls_us() -> None:
    agents = Registry()
    told = {name: "1" for agent in ALL if agent.variables.inherited for name in agent.variables.shell}
    assert agents.caller(agents.outside_runs({**told, "CLAUDE_CODE_SESSION_ID": "x", "PATH": "/bin"})).agent == ""
    assert agents.outside_runs({**told, "PATH": "/bin"}) == {"PATH": "/bin"}
