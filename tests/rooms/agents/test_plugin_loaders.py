"""Our plugin in agents that load it beside Claude Code: known where it is, and out again without a trace."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memlane.agents import Registry, Surroundings
from memlane.agents.claude_code.plugin import HOOKS
from memlane.agents.codex import plugin_loader as codex
from memlane.agents.copilot_cli import plugin_loader as copilot
from memlane.agents.plugin_loader import MARKETPLACE, PLUGIN_ID
from memlane.app.setup import changes
from memlane.system.disk import Disk
from memlane.system.edits import HookRoute, SetupRecord, load_record, save_record
from memlane.system.plan import FileChange, FolderRemoval
from tests.rooms.system.computers import computer, install, settings_of, tree

CODEX = """\
model = "gpt-5"  # mine

[model_providers.fake]
name = "fake"

# a table of my own
[plugins."other@market"]
enabled = true
"""
OF_OURS = """
[marketplaces.lane-local]
source_type = "local"
source = "/home/dev/.memlane/plugin"

[plugins."lane@lane-local"]
enabled = true
"""
TRUSTED = """
[hooks.state."lane@lane-local:hooks/hooks.json:SessionStart:0:0"]
trusted_hash = "sha256:1"
trusted_content_hash = "sha256:2"

[hooks.state."/home/dev/.codex/plugins/cache/lane-local/lane/0.1.0/hooks/hooks.json:Stop:0:0"]
trusted_hash = "sha256:3"
"""
THEIR_TRUST = """
[hooks.state."/home/dev/.codex/hooks.json:Stop:0:0"]
trusted_hash = "sha256:4"
"""
ADDED = {
    "extraKnownMarketplaces": {MARKETPLACE: {"source": {"source": "directory", "path": "/home/dev/.memlane/plugin"}}},
    "enabledPlugins": {PLUGIN_ID: True},
}


def in_codex(home: Path, text: str) -> Path:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def in_copilot(home: Path, settings: object) -> Path:
    path = home / ".copilot" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings, indent=2) + "\n")
    return path


@pytest.mark.parametrize("agent", Registry().with_part("plugin_loader"), ids=lambda agent: agent.name)
def test_every_hook_of_the_plugin_has_a_timeout_that_each_agent_accepts(agent: object) -> None:
    loader = agent.plugin_loader  # type: ignore[attr-defined]
    for spec in HOOKS["claude-code"]:
        assert 1 <= spec.timeout <= loader.longest.get(spec.event, 5), spec.event


@pytest.mark.parametrize("more", ["", THEIR_TRUST])
def test_codex_has_its_file_back_as_the_person_wrote_it(more: str) -> None:
    assert codex.without_plugin(CODEX + OF_OURS) == CODEX
    assert codex.without_plugin(CODEX + OF_OURS + more + TRUSTED) == CODEX + more
    assert codex.without_plugin("a = 1\n" + OF_OURS + "\n# mine\n[b]\nc = 2\n") == "a = 1\n\n# mine\n[b]\nc = 2\n"
    assert codex.without_plugin(CODEX) == CODEX


def test_tables_that_codex_did_not_write_so_are_left_to_a_person(tmp_path: Path) -> None:
    path = in_codex(tmp_path, f'plugins = {{ "{PLUGIN_ID}" = {{ enabled = true }} }}\n')
    around = Surroundings(tmp_path, {})
    assert codex.loads(around)
    plan = codex.plan_removal(around)
    assert plan.changes == ()
    assert plan.left_alone[0].hint == codex.REMOVE
    path.write_text("not = [toml")
    assert codex.plan_removal(around).left_alone
    assert not codex.loads(around)


def test_a_text_that_only_looks_like_our_table_is_not_touched(tmp_path: Path) -> None:
    text = 'notes = """\n[plugins."lane@lane-local"]\nenabled = true\n"""\n'
    in_codex(tmp_path, text)
    assert codex.plan_removal(Surroundings(tmp_path, {})).changes == ()


def test_copilot_loses_our_lines_and_keeps_the_others(tmp_path: Path) -> None:
    around = Surroundings(tmp_path, {})
    theirs = {"theme": "dark", "enabledPlugins": {"other@market": True}}
    path = in_copilot(tmp_path, {**theirs, **ADDED, "enabledPlugins": {"other@market": True, PLUGIN_ID: True}})
    assert copilot.loads(around)
    (change,) = copilot.plan_removal(around).changes
    assert isinstance(change, FileChange)
    assert json.loads(change.after or b"") == theirs
    path.write_bytes(change.after or b"")
    assert copilot.plan_removal(around).changes == ()
    in_copilot(tmp_path, {"enabledPlugins": {PLUGIN_ID: False}})  # as its own program leaves it
    (rest,) = copilot.plan_removal(around).changes
    assert isinstance(rest, FileChange)
    assert json.loads(rest.after or b"") == {}


def test_uninstall_takes_it_out_of_all_of_them_and_another_time_finds_nothing(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    before = tree(tmp_path)
    here = computer(tmp_path)
    install(here)
    config, own = in_codex(tmp_path, CODEX + OF_OURS + TRUSTED), in_copilot(tmp_path, ADDED)
    copy = tmp_path / ".codex" / "plugins" / "cache" / MARKETPLACE / "lane" / "0.1.0"
    copy.mkdir(parents=True)
    everyone = (*changes.installs(), *changes.loaders())
    plan = changes.plan_removal(here, everyone, timer_too=False)
    assert {change.area for change in plan.changes} == {"claude-code", "codex", "copilot-cli", "plugin"}
    assert changes.remove(plan, here, Disk(), timer_too=False).troubles == ()
    assert config.read_text() == CODEX
    assert json.loads(own.read_text()) == {}
    assert not copy.parent.parent.exists()
    assert changes.plan_removal(here, everyone, timer_too=False).changes == ()
    left = {name: what for name, what in tree(tmp_path).items() if not name.startswith((".codex", ".copilot"))}
    assert left == before


def test_the_plugin_stays_as_long_as_another_agent_loads_it(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    here = computer(tmp_path)
    install(here)
    in_copilot(tmp_path, ADDED)
    plan = changes.plan_removal(here, ("claude-code",), timer_too=False)
    assert not any(isinstance(change, FolderRemoval) and change.path == here.plugin for change in plan.changes)
    changes.remove(plan, here, Disk(), timer_too=False)
    assert here.hook_script.exists()


def test_what_is_known_about_other_agents_stays_when_one_is_taken_out(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    here = computer(tmp_path)
    install(here)
    known = load_record(here.lane_home)
    save_record(Disk(), here.lane_home, known.with_way("heron", HookRoute("settings")))
    in_codex(tmp_path, CODEX + OF_OURS)
    plan = changes.plan_removal(here, ("codex",), timer_too=False)
    changes.remove(plan, here, Disk(), timer_too=False)
    assert set(load_record(here.lane_home).agents) == {"claude-code", "heron"}
    assert load_record(here.lane_home).files == known.files
    assert SetupRecord().empty


def test_a_copy_of_an_older_version_is_said(tmp_path: Path) -> None:
    settings_of(tmp_path, {})
    here = computer(tmp_path)
    install(here)
    in_codex(tmp_path, CODEX + OF_OURS)
    copy = tmp_path / ".codex" / "plugins" / "cache" / MARKETPLACE / "lane" / "0.0.9" / "hooks" / "hooks.json"
    copy.parent.mkdir(parents=True)
    copy.write_text("{}")
    told = {finding.what: finding.hint for finding in changes.check(here) if finding.kind == "notes"}
    assert told == {
        "Codex loads a copy of another version of Lane's plugin": codex.add_command(str(here.plugin)),
    }
    copy.write_bytes((here.plugin / "plugins" / "lane" / "hooks" / "hooks.json").read_bytes())
    assert [f.what for f in changes.check(here) if f.kind == "notes"] == ["Codex loads Lane's plugin"]
