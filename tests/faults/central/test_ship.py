"""A short run of the campaign, and products that look away: each must be caught. The long one: `campaigns.ship`."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from campaigns.mutants import Mutant
from campaigns.ship import OWNER, SERVERS, VERSIONS, Household, Result, campaign, caught, prompt
from campaigns.ship_mutants import MUTANTS
from memlane.app import Lane
from memlane.app.control import of_owner
from memlane.archive import Layout
from memlane.errors import LaneError, UnreachableError
from memlane.surfaces.cli.work import Worker
from tests.examples import examples

MANY = 25  # changes of Central's disk: in the middle of what comes


@pytest.mark.fault("B1", "B2", "B3", "B10", "B13", "B14")
def test_nothing_is_lost_whatever_happens_between_two_machines_and_central(tmp_path: Path) -> None:
    result = campaign(examples(17), 3, tmp_path)
    assert {name: found for name, found in result.faults.items() if found} == {}
    assert result.compared >= 2


def test_nothing_is_lost_where_the_store_and_the_database_are_killed_too() -> None:
    """In a process of its own: the client of a store does not work in one that forks."""
    only = [word for kind in SERVERS for word in ("--only", kind)]
    command = [sys.executable, "-m", "campaigns.ship", "--store", "--faults", str(examples(6)), *only, "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    figures = json.loads(ran.stdout.splitlines()[-1])
    assert figures["comparisons"]
    assert figures["bytes_compared"]


def test_a_journal_that_went_two_ways_is_the_same_on_both_sides_after_one_exchange(tmp_path: Path) -> None:
    """Central has lines that the machine's older disk has not, as many as were written since, and more."""
    household = Household(tmp_path, random.Random(1), Result())
    try:
        household.begin()
        for lines_there in (1, 2):
            household.keep_copy("tower")
            for _line in range(lines_there):
                household.remember("tower")
            household.exchange("tower")
            household.put_back("tower")
            household.remember("tower")
            household.exchange("tower", check=True)
            household.compare("tower")
    finally:
        household.close()
    assert {name: found for name, found in household.result.faults.items() if found} == {}


@pytest.mark.fault("B14")
def test_a_transcript_that_went_two_ways_with_as_many_bytes_is_kept_both_ways(tmp_path: Path) -> None:
    """The machine was put back to before a generation that Central has, and captures another one under its number."""
    household = Household(tmp_path, random.Random(1), Result())
    try:
        household.begin()
        for said in ("one", "two"):
            household.keep_copy("tower")
            _replaced(household, said)
            household.exchange("tower")
        household.put_back("tower")
        household.exchange("tower", check=True)
        _replaced(household, "TWO")
        household.exchange("tower")
        household.compare("tower")
        layout = Layout(of_owner(household.config("central"), OWNER).archive_base, OWNER)
        held = b"".join(path.read_bytes() for path in layout.runs.rglob("*.raw"))
        assert [held.count(said) for said in (b'"one"', b'"two"', b'"TWO"')] == [1, 1, 1]
    finally:
        household.close()
    assert {name: found for name, found in household.result.faults.items() if found} == {}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_later_version_on_one_side_is_understood_as_far_as_it_goes(tmp_path: Path, version: str) -> None:
    """Fields and kinds that the other side does not know: it takes the rest, and keeps the lines as they are."""
    household = Household(tmp_path, random.Random(1), Result())
    try:
        household.begin()
        for name in ("tower", "flagg"):
            household.ship(name, version)
        household.settle()
    finally:
        household.close()
    assert {name: found for name, found in household.result.faults.items() if found} == {}
    assert household.result.bytes


@pytest.mark.parametrize("changes", [0, 6])
def test_a_central_whose_disk_is_full_says_so_and_gets_everything_later(tmp_path: Path, changes: int) -> None:
    household = Household(tmp_path, random.Random(1), Result())
    try:
        household.begin()
        _replaced(household, "before the disk was full")
        with household.server_doom.full(changes), pytest.raises(UnreachableError, match="no disk space left"):
            household.exchange("tower")
        household.settle()
    finally:
        household.close()
    assert {name: found for name, found in household.result.faults.items() if found} == {}


@pytest.mark.parametrize("ended", ["killed", "full"])
def test_what_came_before_a_server_was_ended_is_indexed_once_its_machine_sends_it_again(
    tmp_path: Path, ended: str
) -> None:
    """The bytes are there, and nobody was told: neither the machine nor the worker, which has looked at all once."""
    household = Household(tmp_path, random.Random(1), Result())
    central = household.config("central")
    try:
        household.begin()
        _replaced(household, "indexed already")
        household.exchange("tower")
        with Lane(central) as lane:
            worker = Worker(lane.config, lane.control)
            worker.look(everybody=True, to_the_end=True)
            for n in range(1, 5):
                _replaced(household, "on its way", n)
            doom = household.server_doom
            with doom.at(MANY) if ended == "killed" else doom.full(MANY), suppress(LaneError):
                household.exchange("tower")
            if ended == "killed":
                household.end_server()
                household.start_server()
            folders = Layout(of_owner(central, OWNER).archive_base, OWNER).run_folders()
            assert 1 < len(list(folders)) < 5, "it was ended in the middle"
            household.exchange("tower")
            assert [one["why"] for one in worker.look(to_the_end=True)] == [None]
        with Lane(of_owner(central, OWNER)) as theirs:
            assert len(theirs.runs.select()) == 5
    finally:
        household.close()
    assert {name: found for name, found in household.result.faults.items() if found} == {}


def _replaced(household: Household, said: str, n: int = 0) -> None:
    config = household.config("tower")
    path = config.person_home / ".claude" / "projects" / "-shop" / f"{n}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(json.dumps(prompt(str(n), "1", said)) + "\n")
    with Lane(config) as lane:
        lane.capture.sweep()


def test_the_same_lines_in_another_order_are_found_by_a_check(tmp_path: Path) -> None:
    """The same size and the same last line: only a look at all of them tells."""
    household = Household(tmp_path, random.Random(1), Result())
    try:
        household.begin()
        for _line in range(3):
            household.remember("tower")
        household.exchange("tower")
        (journal,) = Layout(household.config("tower").archive_base, OWNER).journal_files()
        first, second, last = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(second + first + last)
        household.exchange("tower", check=True)
        assert journal.read_bytes() == first + second + last
        household.compare("tower")
    finally:
        household.close()
    assert {name: found for name, found in household.result.faults.items() if found} == {}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_shipping_that_looks_away_is_caught(mutant: Mutant) -> None:
    assert any(caught(mutant, 17, seed) for seed in (1, 2))
