"""Who read, searched or was told something: written by a real Central, read by whom it concerns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.acceptance.central import Central, machine, serving
from tests.acceptance.command_line import CommandOutcome, Person, misfits, schema_of, unpublished


def joined(central: Central, home: Path, name: str, user: str) -> Person:
    person = machine(home, name, user)
    assert person.lane("join", central.url, "--code", central.invite(user), "--json").code == 0
    return person


def fits(ran: CommandOutcome) -> Any:
    assert misfits(ran.document, schema_of(ran.document)) == []
    assert unpublished(ran.document, schema_of(ran.document)) == []
    return ran.data


def audited(person: Person, *more: str) -> list[dict[str, Any]]:
    return fits(person.lane("audit", *more, "--json"))


def test_the_audit_of_a_central(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as central:
        noor, maya = (joined(central, tmp_path / name, f"{name}-laptop", name) for name in ("noor", "maya"))
        noor.claude_run("one", "where is the blue notebook")
        (run,) = (one["run"] for one in noor.lane("capture", "--json").data)
        assert noor.lane("ship", "--now").code == 0
        assert central.person.lane("work", "--once").code == 0
        assert noor.lane("search", "blue notebook").code == 0
        assert noor.lane("machines", "rename", "noor-laptop", "old laptop").code == 0
        port = int(central.url.rpartition(":")[2])
    with serving(tmp_path / "central", port=port) as central:  # what was read is durable now
        whole = audited(central.person)
        mine, hers = audited(noor), audited(maya)

        searched = next(one for one in mine if one["act"] == "search")
        assert (searched["who"], searched["machine"], searched["of"]) == ("noor", "noor-laptop", {"noor": [run]})
        assert [one["who"] for one in mine if one["act"] == "machine"] == ["noor", "noor"]
        assert all("noor" not in (one["who"], one["what"], *one["of"]) for one in hers)
        assert {one["n"] for one in mine} | {one["n"] for one in hers} < {one["n"] for one in whole}
        assert not any("notebook" in str(one) for one in whole)
        assert audited(noor, "--act", "search", "--since", "1h") == [searched]
        assert maya.lane("audit", "verify", "--json").code == 4

    table = central.person.lane("audit", "--act", "search", "--csv").lines
    assert table[0] == "n,at,who,machine,act,of,what,whom,count"
    assert table[1].endswith(f",noor,noor-laptop,search,noor: {run},,,1")
    checked = central.person.lane("audit", "verify", "--json")
    assert (checked.code, fits(checked), checked.document["meta"]["unclean"]) == (0, [], 0)


def test_a_server_that_died_without_a_word_is_counted(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as central:
        central.server.kill()
    with serving(tmp_path / "central") as central:
        pass
    checked = central.person.lane("audit", "verify", "--json")
    assert (checked.code, checked.data, checked.document["meta"]["unclean"]) == (0, [], 1)


def test_who_read_something_out_of_my_runs(tmp_path: Path) -> None:
    """Also what was shared: the line of a search or a reading names the owner of what it brought up."""
    with serving(tmp_path / "central") as central:
        noor, maya = (joined(central, tmp_path / name, f"{name}-laptop", name) for name in ("noor", "maya"))
        noor.claude_run("one", "where is the blue notebook")
        (run,) = (one["run"] for one in noor.lane("capture", "--json").data)
        assert noor.lane("ship", "--now").code == 0
        assert central.person.lane("work", "--once").code == 0
        maya.claude_run("two", "the kettle is red")
        assert maya.lane("capture").code == 0
        assert noor.lane("share", run, "--with", "maya", "--transcripts").code == 0
        found = maya.lane("search", "blue notebook", "--json")
        assert [one["run"] for one in found.data] == [run]
        token = json.loads((maya.lane_home / "central.json").read_bytes())["token"]
        asked = Request(f"{central.url}/api/runs/{run}", headers={"Authorization": f"Bearer {token}"})
        with urlopen(asked, timeout=30) as reply:
            assert "blue notebook" in reply.read().decode()
        port = int(central.url.rpartition(":")[2])
    with serving(tmp_path / "central", port=port):  # what was read is durable now
        read = {one["act"]: one for one in audited(noor) if one["who"] == "maya" and one["act"] in ("search", "read")}
        assert {act: one["of"] for act, one in read.items()} == {"search": {"noor": [run]}, "read": {"noor": [run]}}
        assert [one["who"] for one in audited(noor, "--by", "maya") if one["act"] == "read"] == ["maya"]
