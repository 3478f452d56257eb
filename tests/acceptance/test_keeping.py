"""Holds and retention from the command line of a real Central and of a machine that joined it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.acceptance.central import machine, serving
from tests.acceptance.command_line import Person, misfits, schema_of, unpublished


def done(person: Person, *arguments: str, code: int = 0) -> Any:
    ran = person.lane(*arguments, "--json")
    assert ran.code == code, ran
    if code:
        return ran.error
    assert misfits(ran.document, schema_of(ran.document)) == []
    assert unpublished(ran.document, schema_of(ran.document)) == []
    return ran.data


def test_what_an_admin_holds_no_machine_deletes(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as central:
        noor = machine(tmp_path / "noor", "laptop", "noor")
        done(noor, "join", central.url, "--code", central.invite("noor"))
        noor.claude_run("one", "where is the blue notebook")
        (run,) = (one["run"] for one in done(noor, "capture"))
        done(noor, "ship", "--now")
        assert "no run" in done(central.person, "hold", "add", "r_aaaaaaaaaaaaa", "--why", "x", code=2)["message"]
        hold = done(central.person, "hold", "add", run, "--why", "the audit of May")
        refused = done(noor, "forget", run, "--now", "--yes", code=4)
        assert (refused["kind"], "the audit of May" in refused["message"]) == ("held", True)
        assert done(noor, "hold", "list", code=4)["kind"] == "not-allowed"
    assert done(noor, "forget", run, "--now", "--yes", code=4)["kind"] == "held"  # Central is away: as it said last

    with serving(tmp_path / "central", port=int(central.url.rpartition(":")[2])) as central:
        done(central.person, "work", "--once")
        plan = done(central.person, "retention", "set", "1d", "--person", "noor", "--dry-run")["plan"]
        assert [(one["owner"], one["runs"], one["held"]) for one in plan] == [("noor", 0, 1)]
        assert done(central.person, "hold", "release", hold["id"])["released_by"] == "operator"
        rule = done(central.person, "retention", "set", "1d", "--person", "noor", "--yes")
        assert (rule["plan"][0]["runs"], rule["says"]) == (1, "noor's runs are kept 1 days")
        assert [one["id"] for one in done(noor, "retention", "list")] == [rule["id"]]
        done(central.person, "work", "--once")
        assert len(done(noor, "runs")) == 1  # not before a day is over
        done(central.person, "retention", "end", rule["id"])

        done(noor, "forget", run, "--now", "--yes")
        done(noor, "ship", "--now")
        done(central.person, "work", "--once")
        (receipt,) = done(noor, "retention", "receipts")
        assert (receipt["name"], receipt["rule"], receipt["bytes"] > 0) == (run, "forget --now", True)
        assert [one["what"] for one in done(central.person, "hold", "list")] == [run]


def test_a_policy_is_shown_before_joining_kept_to_and_checked_at_the_door(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as central:
        noor = machine(tmp_path / "noor", "laptop", "noor")
        noor.claude_run("old", "the merger", project="secret")
        noor.claude_run("new", "where is the blue notebook")
        runs = {one["session_id"]: one["run"] for one in done(noor, "capture")}
        assert done(central.person, "policy", "set", "--never", "~/secret", code=2)["kind"] == "usage"
        done(central.person, "policy", "set", "--never", "*/secret", "--sharing", "nobody")
        code = central.invite("noor")
        asked = noor.lane("join", central.url, "--code", code)
        assert asked.code == 2
        assert "never captured: */secret" in asked.err
        assert "--yes" in asked.err
        assert "shared by nobody" in asked.err
        assert not (noor.lane_home / "central.json").exists()
        done(noor, "join", central.url, "--code", code, "--yes")

        assert done(noor, "ship", "--now")["runs"] == [runs["new"]]
        noor.claude_run("more", "the merger again", project="secret")
        assert done(noor, "capture") == []
        assert not [name for name in central.archive("noor") if runs["old"] in name]
        assert done(noor, "policy", "set", "--sharing", "everybody", code=4)["kind"] == "not-allowed"

        done(central.person, "policy", "set", "--capture-again", "*/secret")
        assert done(noor, "policy") == done(central.person, "policy")
        assert done(noor, "ship", "--now")["runs"] == [runs["old"]]
