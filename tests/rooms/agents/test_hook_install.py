"""Our hooks in every agent whose files name them: in, still in, and out again to the last byte."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from memlane.agents import Registry
from memlane.agents.hook_install import HookInstall
from memlane.app.setup import changes
from memlane.app.setup.changes import Computer, SetupOutcome, SetupRequest
from memlane.system.disk import Disk
from memlane.system.edits import load_record
from tests.rooms.system.computers import computer, tree

AGENTS = [agent.name for agent in Registry().with_part("install") if isinstance(agent.install, HookInstall)]
each = pytest.mark.parametrize("agent", AGENTS)
each_captured = pytest.mark.parametrize("agent", [agent for agent in AGENTS if agent in Registry().sources])
each_only_told = pytest.mark.parametrize("agent", [agent for agent in AGENTS if agent not in Registry().sources])
THEIRS = '{"zeta": 1,\n   "hooks": {"Stop": [{"hooks": [{"type":"command","command":"echo hi"}]}]}, "mcpServers": {}\n}'
CODEX = 'model = "gpt-5"  # mine\n\n# a table of my own\n[mcp_servers.other]\ncommand = "x"'


def install_of(agent: str) -> HookInstall:
    found = Registry()[agent].install
    assert isinstance(found, HookInstall)
    return found


def put_in(here: Computer, agent: str, recall: bool | None = None) -> SetupOutcome:
    asked = SetupRequest((agent,), timer=False, recall=recall)
    return changes.apply(changes.plan(here, asked), here, Disk(), asked)


def take_out(here: Computer, agent: str) -> SetupOutcome:
    return changes.remove(changes.plan_removal(here, (agent,), timer_too=False), here, Disk(), timer_too=False)


def shared(here: Computer, agent: str) -> list[Path]:
    return [file.path for file in install_of(agent).our_files(here, True) if file.theirs]


def written(here: Computer, agent: str) -> None:
    """Files of the person where ours would be, in their own spacing."""
    for path in shared(here, agent):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CODEX if path.suffix == ".toml" else THEIRS)


@each
@pytest.mark.parametrize("had", [False, True])
def test_uninstall_leaves_the_home_as_it_was(tmp_path: Path, agent: str, had: bool) -> None:
    here = computer(tmp_path)
    if had:
        written(here, agent)
    before = tree(tmp_path)
    assert put_in(here, agent).troubles == ()
    assert install_of(agent).installed(here) is not None
    assert take_out(here, agent).troubles == ()
    assert tree(tmp_path) == before


@each
def test_once_in_nothing_is_changed_again_and_an_upgrade_touches_only_the_program(tmp_path: Path, agent: str) -> None:
    here = computer(tmp_path)
    put_in(here, agent)
    request = SetupRequest((agent,), timer=False)
    assert changes.plan(here, request).changes == ()
    newer = computer(tmp_path, variables={"X": "1"})
    newer = type(newer)(**{**{name: getattr(newer, name) for name in newer.__slots__}, "python": "/usr/bin/python9"})
    assert {change.area for change in changes.plan(newer, request).changes} == {"hook-program"}


@each
def test_what_a_person_wrote_meanwhile_stays_and_only_ours_goes(tmp_path: Path, agent: str) -> None:
    here = computer(tmp_path)
    written(here, agent)
    put_in(here, agent)
    for path in shared(here, agent):
        text = path.read_text()
        path.write_text(f"{text}\n# mine\n" if path.suffix == ".toml" else text.replace('"zeta": 1', '"zeta": 2'))
    assert take_out(here, agent).troubles == ()
    for path in shared(here, agent):
        if path.suffix == ".toml":
            assert path.read_text() == f"{CODEX}\n\n# mine\n"
        else:
            assert json.loads(path.read_text()) == {**json.loads(THEIRS), "zeta": 2}
    assert load_record(here.lane_home).empty
    assert [path for path in tmp_path.rglob("*lane*") if path.name != ".memlane"] == []


@each_captured
def test_without_recall_it_only_says_that_there_is_new_work(tmp_path: Path, agent: str) -> None:
    here = computer(tmp_path)
    put_in(here, agent)
    put_in(here, agent, recall=False)
    hook = install_of(agent).installed(here)
    assert hook is not None
    assert hook.command == "", "it is told nothing"
    assert take_out(here, agent).troubles == ()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@each_only_told
def test_without_recall_one_that_is_only_told_has_nothing_of_ours(tmp_path: Path, agent: str) -> None:
    here = computer(tmp_path)
    put_in(here, agent)
    put_in(here, agent, recall=False)
    assert install_of(agent).installed(here) is None
    assert [path for path in tmp_path.rglob("*lane*") if path.is_file() and not path.is_relative_to(here.hooks)] == []


@each
def test_a_file_that_cannot_be_edited_leaves_that_agent_alone(tmp_path: Path, agent: str) -> None:
    here = computer(tmp_path)
    first = install_of(agent).our_files(here, True)[0].path
    first.parent.mkdir(parents=True)
    first.write_text("somebody else's {{ file")
    before = tree(tmp_path)
    plan = changes.plan(here, SetupRequest((agent,), timer=False))
    assert [trouble.area for trouble in plan.left_alone] == [agent]
    assert plan.changes == ()
    assert tree(tmp_path) == before


def test_agents_share_the_program_and_it_goes_with_the_last_of_them(tmp_path: Path) -> None:
    here = computer(tmp_path)
    put_in(here, "pi")
    put_in(here, "opencode")
    take_out(here, "pi")
    assert (here.hooks / "run").exists()
    take_out(here, "opencode")
    assert not here.hooks.exists()


# -- Codex -------------------------------------------------------------------------------------------------------------

KEEPS_HOOKS = f"""{CODEX}

[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = "echo hi"
"""


def codex_config(home: Path, text: str) -> Path:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_who_keeps_hooks_in_config_toml_gets_ours_there_too(tmp_path: Path) -> None:
    """Codex warns at every start about hooks in two files."""
    path, here = codex_config(tmp_path, KEEPS_HOOKS), computer(tmp_path)
    put_in(here, "codex")
    assert not (tmp_path / ".codex" / "hooks.json").exists()
    assert path.read_text().count("hooks/run") == 7
    assert changes.plan(here, SetupRequest(("codex",), timer=False)).changes == ()
    path.write_text(path.read_text().replace('"gpt-5"', '"gpt-6"'))
    assert take_out(here, "codex").troubles == ()
    assert path.read_text() == KEEPS_HOOKS.replace('"gpt-5"', '"gpt-6"')


def test_who_begins_to_keep_hooks_in_config_toml_has_ours_moved_there(tmp_path: Path) -> None:
    path, here = codex_config(tmp_path, CODEX), computer(tmp_path)
    put_in(here, "codex")
    path.write_text(path.read_text() + KEEPS_HOOKS.removeprefix(CODEX))
    put_in(here, "codex")
    assert not (tmp_path / ".codex" / "hooks.json").exists()
    assert changes.plan(here, SetupRequest(("codex",), timer=False)).changes == ()
    assert take_out(here, "codex").troubles == ()
    assert tomllib.loads(path.read_text()) == tomllib.loads(KEEPS_HOOKS)


def test_what_a_person_trusted_goes_with_our_hooks_and_their_own_trust_stays(tmp_path: Path) -> None:
    path, here = codex_config(tmp_path, CODEX), computer(tmp_path)
    put_in(here, "codex")
    hooks = tmp_path / ".codex" / "hooks.json"
    theirs = '\n[hooks.state."/srv/other/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n'
    ours = f'\n[hooks.state."{hooks}:stop:0:0"]\ntrusted_hash = "sha256:2"\n'
    before = path.read_text()
    path.write_text(f"{before}\n[hooks.state]\n{theirs}{ours}")
    take_out(here, "codex")
    assert path.read_text() == f"{CODEX}\n\n[hooks.state]\n{theirs}"
    path.write_text(f"{CODEX}\n\n[hooks.state]\n{ours}")  # of a file that is gone
    take_out(here, "codex")
    assert path.read_text() == f"{CODEX}\n"


def test_tables_that_are_written_another_way_are_left_to_a_person(tmp_path: Path) -> None:
    here = computer(tmp_path)
    path = codex_config(tmp_path, f'mcp_servers = {{ lane = {{ command = "{here.hooks}/mcp" }} }}\n')
    plan = changes.plan_removal(here, ("codex",), timer_too=False)
    assert [trouble.area for trouble in plan.left_alone] == ["codex"]
    path.write_text("not = [toml")
    assert changes.plan(here, SetupRequest(("codex",), timer=False)).left_alone


def test_the_plugin_of_earlier_days_makes_room_for_the_hooks(tmp_path: Path) -> None:
    """In both places it would be told twice."""
    plugin = '\n[marketplaces.lane-local]\nsource = "/x"\n\n[plugins."lane@lane-local"]\nenabled = true\n'
    path, here = codex_config(tmp_path, CODEX + "\n" + plugin), computer(tmp_path)
    put_in(here, "codex")
    assert "lane-local" not in path.read_text()


def test_a_folder_that_only_vs_codes_hooks_are_in_is_no_sign_of_copilot_cli(tmp_path: Path) -> None:
    here = computer(tmp_path, variables={})
    put_in(here, "vscode")
    assert not install_of("copilot-cli").is_here(here)
    (tmp_path / ".copilot" / "config.json").write_text("{}")
    assert install_of("copilot-cli").is_here(here)
