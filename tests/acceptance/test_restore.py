"""The drill of an operator: a Central is lost, its backup is put onto another disk, and everything is as it was."""

from __future__ import annotations

import re
import shutil
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from campaigns.postgres_server import shared
from tests.acceptance.central import archived, machine, serving
from tests.acceptance.command_line import ROOT, Person

numbers = count()


def database() -> str:
    name = f"restored_{next(numbers)}"
    with psycopg.connect(shared().url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type] - our own name
    return shared().url.replace("/postgres?", f"/{name}?")


def backed_up(home: Path, to: Path) -> None:
    """What the nightly unit copies."""
    unit = (ROOT / "deploy" / "systemd" / "memlane-backup.service").read_text()
    left_out = set(re.findall(r"--exclude /(\w+)", unit))
    shutil.copytree(home, to, ignore=lambda folder, names: left_out & set(names) if Path(folder) == home else set())


def answers(person: Person) -> list[object]:
    """What Central alone can say to this machine."""
    found = person.lane("search", "lighthouse", "--json")
    assert found.document["meta"]["central"] is None, found
    hits = [(hit["run"], hit["turn"], hit["step"], round(hit["score"], 6)) for hit in found.data]
    runs = [(run["id"], run["turns"], run["machine"]) for run in person.lane("runs", "--json").data]
    machines = [(one["title"], bool(one["revoked"])) for one in person.lane("machines", "list", "--json").data]
    return [hits, runs, machines]


@pytest.mark.fault("B13")
@pytest.mark.parametrize("engine", ["embedded", "postgres"])
def test_a_backup_on_another_disk_answers_as_before(engine: str, tmp_path: Path) -> None:
    laptop, tablet = machine(tmp_path / "laptop", "laptop"), machine(tmp_path / "tablet", "tablet")
    with serving(tmp_path / "first") as central:
        for person, words in ((laptop, ()), (tablet, ("--thin",))):
            assert person.lane("join", central.url, "--code", central.invite("noor"), *words).code == 0
        tablet.claude_run("one", "the lighthouse keeper counts the ships", "and the lighthouse is painted in May")
        laptop.claude_run("two", "who paints the lighthouse?")
        laptop.lane("remember", "the lighthouse is painted in May")
        for person in (laptop, tablet):
            assert person.lane("capture").code == 0
            assert person.lane("ship", "--now").code == 0
        assert laptop.lane("machines", "revoke", "tablet").code == 0
        assert central.person.lane("work", "--once").code == 0
        before, held = answers(laptop), central.archive("noor")
        backed_up(central.person.lane_home, tmp_path / "backup")
    shutil.rmtree(tmp_path / "first")

    (tmp_path / "second").mkdir()
    shutil.copytree(tmp_path / "backup", tmp_path / "second" / ".memlane")
    again = machine(tmp_path / "second", "overlook", "operator")
    if engine == "postgres":
        assert again.lane("config", "set", "storage.url", database()).code == 0
    assert archived(again, "noor") == held
    assert again.lane("archive", "verify").code == 0
    with serving(tmp_path / "second", port=urlsplit(central.url).port or 0) as central:
        assert central.person.lane("work", "--once").code == 0
        assert answers(laptop) == before
        refused = tablet.lane("ship", "--now", "--json")
        assert refused.error["kind"] == "revoked"
        laptop.claude_run("three", "said after the disk was lost")
        laptop.lane("capture")
        shipped = laptop.lane("ship", "--now", "--json", "--check")
        assert len(shipped.data["runs"]) == 1, shipped
        assert archived(laptop, "noor").items() <= central.archive("noor").items()
