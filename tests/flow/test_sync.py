"""Two machines and one place of their owner's: each sends its runs, masked, and takes in the other's."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.domain import Level, RunFilter
from memlane.errors import LaneError, NotAllowedError, UnreachableError, UsageError
from memlane.store import folder as folder_store
from tests.clients.fake_hub import fake_hub
from tests.flow.homes import answer, prompt, said, transcript, write

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
SESSIONS = {"desk": "11111111-2222-4333-8444-555555555555", "laptop": "22222222-2222-4333-8444-555555555555"}


def machine(tmp_path: Path, name: str, words: str, **more: str) -> Lane:
    folder = tmp_path / name
    path = transcript(folder, SESSIONS[name])
    if not path.exists():
        records = [prompt(words, 1), answer([said(f"Done: {words}")], 2)]
        write(path, [{**record, "sessionId": SESSIONS[name]} for record in records])
    environment = {"HOME": str(folder / "home"), "LANE_HOME": str(folder / "lane"), "LANE_USER": "ann"}
    lane = Lane(load({**environment, "LANE_MACHINE": name, **more}))
    lane.capture.sweep()
    return lane


def names(target: Path) -> list[str]:
    """Of the runs; beside them lies what their digests are."""
    found = (file for file in target.rglob("*") if file.is_file() and file.name != "digests.json")
    return sorted(file.relative_to(target).as_posix() for file in found)


def test_each_machine_has_the_runs_of_both_afterwards(tmp_path: Path) -> None:
    desk, laptop = machine(tmp_path, "desk", f"moor the ferry with {TOKEN}"), machine(tmp_path, "laptop", "paint it")
    target = tmp_path / "nas"
    desk.syncs.sync(str(target))
    laptop.syncs.sync(str(target))
    desk.syncs.sync(str(target))
    listed = [{(run.id, run.machine, run.turns) for run in lane.runs.select(RunFilter())} for lane in (desk, laptop)]
    assert listed[0] == listed[1]
    assert {which for _id, which, _turns in listed[0]} == {"desk", "laptop"}
    assert TOKEN.encode() not in b"".join((target / name).read_bytes() for name in names(target))
    assert "ferry" in laptop.search.find("moor the ferry").search.best[0].chunk.text


def test_only_what_changed_is_sent_again(tmp_path: Path) -> None:
    desk, target = machine(tmp_path, "desk", "moor the ferry"), str(tmp_path / "nas")
    assert len(desk.syncs.sync(target).sent) == 1
    again = desk.syncs.sync(target)
    assert (again.sent, again.unchanged) == ([], 1)
    more = {**prompt("and the other one", 5), "sessionId": SESSIONS["desk"]}
    write(transcript(tmp_path / "desk", SESSIONS["desk"]), [more])
    desk.capture.sweep()
    assert len(desk.syncs.sync(target).sent) == 1


def test_a_run_that_grew_elsewhere_grows_here(tmp_path: Path) -> None:
    desk, laptop, target = machine(tmp_path, "desk", "one"), machine(tmp_path, "laptop", "two"), str(tmp_path / "nas")
    desk.syncs.sync(target)
    laptop.syncs.sync(target)
    more = {**prompt("and three", 5), "sessionId": SESSIONS["desk"]}
    write(transcript(tmp_path / "desk", SESSIONS["desk"]), [more])
    desk.capture.sweep()
    desk.syncs.sync(target)
    assert len(laptop.syncs.sync(target).taken) == 1
    assert {run.machine: run.turns for run in laptop.runs.select(RunFilter())} == {"desk": 2, "laptop": 1}
    assert laptop.syncs.sync(target).taken == []


def test_nothing_is_ever_deleted_there(tmp_path: Path) -> None:
    desk, target = machine(tmp_path, "desk", "moor the ferry"), tmp_path / "nas"
    desk.syncs.sync(str(target))
    (run,) = desk.runs.select(RunFilter())
    desk.archive.forget_run(run.id)
    before = names(target)
    assert len(before) == 1
    desk.syncs.sync(str(target))
    assert names(target) == before


def test_the_raw_archive_goes_only_to_a_private_place(tmp_path: Path) -> None:
    desk, target = machine(tmp_path, "desk", f"moor with {TOKEN}"), tmp_path / "nas"
    target.mkdir(mode=0o755)
    target.chmod(0o755)
    with pytest.raises(NotAllowedError, match="can be read by others"):
        desk.syncs.mirror(str(target))
    assert names(target) == []
    target.chmod(0o700)
    desk.syncs.mirror(str(target))
    base = desk.config.archive_base
    for file in (file for file in base.rglob("*") if file.is_file()):
        assert (target / "archive" / file.relative_to(base)).read_bytes() == file.read_bytes()
    assert desk.syncs.mirror(str(target)).sent == []


def test_a_store_that_gives_other_bytes_back_is_named_and_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, target = machine(tmp_path, "desk", "moor the ferry"), str(tmp_path / "nas")
    honest = folder_store.FolderStore.get

    def lying(self: folder_store.FolderStore, name: str) -> bytes | None:
        found = honest(self, name)
        return found[:-1] if found else found

    monkeypatch.setattr(folder_store.FolderStore, "get", lying)
    report = desk.syncs.sync(target)
    assert report.sent == []
    assert "other bytes" in report.set_aside[0][1]
    monkeypatch.undo()
    assert len(desk.syncs.sync(target).sent) == 1


def test_a_bucket_on_the_hub_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with fake_hub() as hub:
        reach = {"HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_x"}
        desk, laptop = machine(tmp_path, "desk", "one", **reach), machine(tmp_path, "laptop", "two", **reach)
        desk.syncs.sync("hf://buckets/ann/traces")
        assert len(laptop.syncs.sync("hf://buckets/ann/traces").taken) == 1
        assert {path.split("/")[1] for path in hub.files} == {"desk", "laptop"}
        hub.refuses = 401
        with pytest.raises(NotAllowedError):
            desk.syncs.mirror("hf://buckets/ann/traces")
        hub.refuses, hub.private = 0, False
        with pytest.raises(NotAllowedError, match="can be read by others"):
            desk.syncs.mirror("hf://buckets/ann/traces")


def test_a_hub_that_lies_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with fake_hub() as hub:
        reach = {"HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_x"}
        machine(tmp_path, "laptop", "two", **reach).syncs.sync("hf://buckets/ann/traces")
        (hub.lies,) = (digest for path, digest in hub.files.items() if path.endswith(".jsonl"))
        desk = machine(tmp_path, "desk", "one", **reach)
        report = desk.syncs.sync("hf://buckets/ann/traces")
        assert report.sent == []
        assert "other bytes" in report.set_aside[0][1]
        hub.lies = ""
        assert len(desk.syncs.sync("hf://buckets/ann/traces").sent) == 1


def test_only_what_the_other_machine_sent_is_taken_in(tmp_path: Path) -> None:
    """A place may hold half a file, or another one: what carries a folder elsewhere is not atomic."""
    laptop, target = machine(tmp_path, "laptop", "paint the pier"), tmp_path / "nas"
    laptop.syncs.sync(str(target))
    (file,) = target.rglob("*.jsonl")
    sent = file.read_bytes()
    desk = machine(tmp_path, "desk", "one")
    for other in (sent[: len(sent) // 2], sent.replace(b"paint", b"smear"), b""):
        file.write_bytes(other)
        report = desk.syncs.sync(str(target))
        assert report.taken == []
        assert [name for name, reason in report.set_aside if "not what laptop sent" in reason] == [
            file.relative_to(target).as_posix()
        ]
    file.write_bytes(sent)
    assert len(desk.syncs.sync(str(target)).taken) == 1
    assert {run.machine: run.turns for run in desk.runs.select(RunFilter())} == {"desk": 1, "laptop": 1}


def test_two_machines_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each in a process of its own, several times, while the other writes too."""
    target, sessions = str(tmp_path / "nas"), ("desk", "laptop")
    lanes = {name: machine(tmp_path, name, f"the pier of {name}") for name in sessions}
    for round in range(4):
        for name in sessions:
            more = {**prompt(f"turn {round} of {name}", 10 + round), "sessionId": SESSIONS[name]}
            write(transcript(tmp_path / name, SESSIONS[name]), [more])
            lanes[name].capture.sweep()
        children = [_synced_in_a_fork(tmp_path, name, target) for name in sessions]
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
    for name in (*sessions, *sessions):
        assert lanes[name].syncs.sync(target).set_aside == []
    seen = [{run.id: (run.machine, run.turns) for run in lanes[name].runs.select(RunFilter())} for name in sessions]
    assert seen[0] == seen[1]
    assert sorted(seen[0].values()) == [("desk", 5), ("laptop", 5)]


def _synced_in_a_fork(tmp_path: Path, name: str, target: str) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        folder = tmp_path / name
        environment = {"HOME": str(folder / "home"), "LANE_HOME": str(folder / "lane"), "LANE_USER": "ann"}
        with Lane(load({**environment, "LANE_MACHINE": name})) as lane:
            lane.syncs.sync(target)
        status = 0
    finally:
        os._exit(status)


def test_a_machine_that_lost_its_state_still_answers_for_what_it_sent(tmp_path: Path) -> None:
    laptop, target = machine(tmp_path, "laptop", "two"), str(tmp_path / "nas")
    laptop.syncs.sync(target)
    (laptop.config.home / "sync").joinpath(next((laptop.config.home / "sync").glob("*.json")).name).unlink()
    more = SESSIONS["desk"]
    write(transcript(tmp_path / "laptop", more), [{**prompt("three", 5), "sessionId": more}])
    laptop.capture.sweep()
    laptop.syncs.sync(target)
    assert len(machine(tmp_path, "desk", "one").syncs.sync(target).taken) == 2


@pytest.mark.parametrize(("status", "error"), [(429, UnreachableError), (401, NotAllowedError)])
def test_a_hub_that_throttles_or_ends_a_token_midway_costs_a_repeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, error: type[LaneError]
) -> None:
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with fake_hub() as hub:
        reach = {"HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_x"}
        machine(tmp_path, "laptop", "two", **reach).syncs.sync("hf://buckets/ann/traces")
        desk = machine(tmp_path, "desk", "one", **reach)
        hub.refuses, hub.allows = status, hub.requests + 3
        with pytest.raises(error) as raised:
            desk.syncs.sync("hf://buckets/ann/traces")
        assert raised.value.hint
        hub.refuses = 0
        report = desk.syncs.sync("hf://buckets/ann/traces")
        assert (len(report.taken), report.set_aside) == (1, [])
        assert {path.split("/")[1] for path in hub.files} == {"desk", "laptop"}


def test_the_timer_syncs_what_is_due(tmp_path: Path) -> None:
    target = str(tmp_path / "nas")
    assert machine(tmp_path, "desk", "one").syncs.due() == ""
    desk = machine(tmp_path, "desk", "one", LANE_SYNC_TARGET=target)
    assert desk.syncs.due() == target
    desk.syncs.sync(target)
    assert desk.syncs.due() == ""


def test_doctor_says_when_a_target_was_not_reached_for_a_day(tmp_path: Path) -> None:
    target = str(tmp_path / "nas")
    desk = machine(tmp_path, "desk", "one", LANE_SYNC_TARGET=target)

    def told() -> list[tuple[Level, str]]:
        return [(one.level, one.what) for one in desk.health.doctor.findings() if one.kind == "sync"]

    assert told() == [(Level.NOTE, f"nothing was synced to {target} yet")]
    desk.syncs.sync(target)
    assert told() == [(Level.OK, f"synced to {target}")]
    (state,) = (desk.config.home / "sync").glob("*.json")
    known = json.loads(state.read_text())
    state.write_text(json.dumps({**known, "at": known["at"] - 3 * 86400}))
    assert told() == [(Level.WARN, f"last synced 3 days ago, to {target}")]


def test_a_target_inside_the_home_is_refused(tmp_path: Path) -> None:
    desk = machine(tmp_path, "desk", "one")
    with pytest.raises(UsageError, match="inside this home"):
        desk.syncs.sync(str(desk.config.home / "copy"))


def test_the_state_says_what_was_sent_and_a_lost_one_costs_a_repeat(tmp_path: Path) -> None:
    desk, target = machine(tmp_path, "desk", "one"), tmp_path / "nas"
    desk.syncs.sync(str(target))
    (state,) = (desk.config.home / "sync").glob("*.json")
    assert list(json.loads(state.read_text())["sent"]) == names(target)
    before = {name: (target / name).read_bytes() for name in names(target)}
    state.unlink()
    assert len(desk.syncs.sync(str(target)).sent) == 1
    assert {name: (target / name).read_bytes() for name in names(target)} == before
