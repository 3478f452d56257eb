"""`lane share`, `shares` and `unshare`, and two stories of people who share: a family of four and a team of twelve.

One real Central for each story, and people at machines of their own who capture, send, share, search and leave.
"""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.central import Central, machine, serving
from tests.acceptance.command_line import CommandOutcome, Person, misfits, schema_of, unpublished
from tests.acceptance.pages import pages_of

TEAM = ("ada", "ben", "cleo", "dan", "eva", "finn", "gus", "hana", "ivo", "june", "kai", "lea")


def fits(ran: CommandOutcome) -> Any:
    assert ran.code == 0, ran
    assert misfits(ran.document, schema_of(ran.document)) == []
    assert unpublished(ran.document, schema_of(ran.document)) == []
    return ran.data


def joined(central: Central, folder: Path, user: str, role: str = "member", name: str = "") -> Person:
    """Invited as a person, or as a further machine of one who is here."""
    words = ("machines", "invite", "--for", user) if name else ("people", "invite", user, "--role", role)
    code = fits(central.person.lane(*words, "--json"))["code"]
    person = machine(folder / (name or user), name or f"{user}-laptop", user)
    assert person.lane("join", central.url, "--code", code, "--json").code == 0
    return person


def wrote(central: Central, person: Person, project: str, *words: str, lesson: str = "") -> str:
    """A run of theirs, and what they learnt in this project, on Central and in its index."""
    transcript, place = person.claude_run(project, *words, project=project), person.home / project
    place.mkdir()
    transcript.write_text(transcript.read_text().replace(f"/home/dev/{project}", str(place)))
    (run,) = (one["run"] for one in person.lane("capture", "--json").data)
    if lesson:
        assert person.lane("remember", lesson, "--cwd", str(place)).code == 0
    sent(central, person)
    return run


def sent(central: Central, person: Person) -> None:
    assert person.lane("ship", "--now").code == 0
    assert central.person.lane("work", "--once").code == 0


def seen(person: Person, words: str) -> list[str]:
    """Ids of the runs that a search brings up."""
    ran = person.lane("search", words, "--json")
    return sorted({hit["run"] for hit in fits(ran)})


def answered(central: Central, person: Person, path: str) -> Any:
    """By Central, to the machine of somebody."""
    token = json.loads((person.lane_home / "central.json").read_bytes())["token"]
    asked = urllib.request.Request(central.url + path, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(asked, timeout=60) as reply:
        return json.loads(reply.read())["data"]


def lessons(central: Central, person: Person) -> list[str]:
    return [one["title"] for one in answered(central, person, "/api/memories")]


def audited(auditor: Person, of: str, searched: set[str]) -> list[dict[str, Any]]:
    """The audit of one person's runs, once it names these searches: it is written a moment after the answer."""
    end = time.monotonic() + 60
    while True:
        acts = fits(auditor.lane("audit", "--of", of, "--json"))
        missing = searched - {one["who"] for one in acts if one["act"] == "search"}
        if not missing:
            return acts
        assert time.monotonic() < end, missing
        time.sleep(0.1)


# -- the commands ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def central(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Central]:
    with serving(tmp_path_factory.mktemp("central")) as one:
        yield one


def test_what_is_shared_is_previewed_listed_read_and_taken_back(central: Central, tmp_path: Path) -> None:
    noor, mira = (joined(central, tmp_path, name) for name in ("noor", "mira"))
    run = wrote(central, noor, "shop", "the quokka stands beside the till", lesson="the till opens at nine")
    assert seen(mira, "quokka") == []

    # a preview counts, and shares nothing
    shown = noor.lane("share", "shop", "--with", "mira", "--transcripts", "--preview", "--json")
    assert fits(shown)["id"] == ""
    assert shown.document["meta"] | {"runs": 1, "memories": 1, "done": False} == shown.document["meta"]
    said = noor.lane("share", "shop", "--with", "mira", "--preview")
    assert said.lines == ["mira would read 1 lesson and 0 runs of shop"]
    assert "the till opens at nine" in said.err
    assert fits(noor.lane("shares", "--json")) == []

    # lessons alone: no run
    lessons = fits(noor.lane("share", "shop", "--with", "mira", "--json"))
    assert (lessons["reading"], lessons["holds"]) == ("lessons", True)
    assert seen(mira, "quokka") == []

    # the transcripts too, for a while; on both sides' lists as one share
    made = noor.lane("share", "shop", "--with", "mira", "--transcripts", "--until", "30d", "--json")
    assert (fits(made)["id"], made.document["meta"]["runs"]) == (lessons["id"], 1)
    assert seen(mira, "quokka") == [run]
    for person, side in ((noor, "with mira"), (mira, "by noor")):
        (row,) = fits(person.lane("shares", "--json"))
        assert (row["id"], row["reading"], row["until"] is not None) == (lessons["id"], "transcripts", True)
        assert side in person.on_screen("shares", columns=120).out

    # only its owner takes it back; then both see that it ended
    assert mira.lane("unshare", lessons["id"], "--json").error["kind"] == "not-found"
    receipt = fits(noor.lane("unshare", lessons["id"][:6], "--json"))
    assert (receipt["people"], receipt["share"]["holds"]) == (["mira"], False)
    assert "search" in receipt["gone"]
    assert seen(mira, "quokka") == []
    assert fits(noor.lane("shares", "--json")) == fits(mira.lane("shares", "--json")) == []
    assert [row["id"] for row in fits(noor.lane("shares", "--ended", "--json"))] == [lessons["id"]]


def test_a_share_that_cannot_be_meant_is_refused(central: Central, tmp_path: Path) -> None:
    kim = joined(central, tmp_path, "kim")
    run = wrote(central, kim, "kiln", "the kiln is hot")
    for words, code, said in (
        (("kiln", "--with", "nobody-here"), 2, "nobody-here"),
        (("kiln", "--with", "kim"), 2, "already"),
        (("klin", "--with", "operator"), 2, "klin"),
        (("r_aaaaaaaaaaaaa", "--with", "operator"), 2, "r_aaaa"),
        (("kiln", "--tree", "--with", "operator"), 2, "--tree"),
        ((run, "--with", "operator", "--until", "yesterday"), 2, "over already"),
    ):
        refused = kim.lane("share", *words, "--json")
        assert (refused.code, said in refused.error["message"]) == (code, True), refused
    assert kim.lane("share", run, "--with", "operator", "--json", CLAUDECODE="1").error["kind"] == "not-allowed"
    assert fits(kim.lane("shares", "--ended", "--json")) == []


def test_an_agent_suggests_a_share_and_its_person_decides(central: Central, tmp_path: Path) -> None:
    lea, tom = (joined(central, tmp_path, name) for name in ("lea", "tom"))
    run = wrote(central, lea, "forge", "the yabby stands beside the anvil", lesson="the forge is lit at six")
    for more in ({}, {"transcripts": True, "because": "tom repairs the bellows"}):
        asked = {"name": "share", "arguments": {"what": "forge", "whom": "tom", **more}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
        told = json.loads(replace(lea, quick=False).lane("mcp", given=json.dumps(message) + "\n").lines[-1])
        assert "Nothing was shared yet" in told["result"]["content"][0]["text"]
    assert seen(tom, "yabby") == []
    assert fits(tom.lane("shares", "--json")) == []

    listed = lea.lane("shares", "--json")
    assert fits(listed) == []
    whole, lessons = listed.document["meta"]["proposed"]
    assert (whole["reading"], whole["whom"], whole["because"]) == ("transcripts", "tom", "tom repairs the bellows")
    assert "suggests sharing the transcripts of project forge with tom" in lea.lane("shares").err

    # only the person answers; a yes gives that share and no other
    for words in (("share", whole["id"]), ("unshare", lessons["id"])):
        assert lea.lane(*words, "--json", CLAUDECODE="1").error["kind"] == "not-allowed"
    assert "--with" not in lea.lane("share", whole["id"], "--with", "operator", "--json").error["hint"]
    assert fits(lea.lane("unshare", lessons["id"], "--json"))["share"]["holds"] is False
    given = fits(lea.lane("share", whole["id"], "--json"))
    assert (given["whom"], given["reading"], given["holds"]) == ("tom", "transcripts", True)
    assert seen(tom, "yabby") == [run]
    after = lea.lane("shares", "--json")
    assert ([row["id"] for row in fits(after)], after.document["meta"]["proposed"]) == ([given["id"]], [])


# -- a family of four --------------------------------------------------------------------------------------------------


def test_a_family_of_four(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as central:
        mum, dad, mia, tom = (
            joined(central, tmp_path, name, role)
            for name, role in (("mum", "admin"), ("dad", "member"), ("mia", "member"), ("tom", "member"))
        )
        people = {row["name"]: row["role"] for row in fits(mum.lane("people", "--json"))}
        assert people == {"operator": "admin", "mum": "admin", "dad": "member", "mia": "member", "tom": "member"}

        # a child's runs are nobody else's: not a parent's, and not the admin's
        diary = wrote(central, mia, "diary", "a secret about the axolotl")
        assert seen(mia, "axolotl") == [diary]
        for other in (mum, dad, tom):
            assert seen(other, "axolotl") == []
            assert other.lane("show", diary, "--json").error["kind"] == "not-found"

        # one project of a parent becomes everybody's to learn from, and is taken back
        wrote(central, dad, "garden", "tomatoes want the marmot compost", lesson="water the garden before nine")
        fits(mum.lane("groups", "add", "family", "mum", "dad", "mia", "tom", "--json"))
        share = fits(dad.lane("share", "garden", "--with", "family", "--json"))
        for other in (mum, mia, tom):
            assert [row["id"] for row in fits(other.lane("shares", "--json"))] == [share["id"]]
            assert seen(other, "marmot") == [], "lessons are shared, not the talk"
            assert lessons(central, other) == ["water the garden before nine"]
        receipt = fits(dad.lane("unshare", share["id"], "--json"))
        assert sorted(receipt["people"]) == ["mia", "mum", "tom"]
        assert [lessons(central, other) for other in (mum, mia, tom)] == [[], [], []]

        # a child leaves: asked of the parent who is admin, done on Central's own computer
        assert mum.lane("people", "remove", "tom", "--runs", "keep", "--yes", "--json").code == 2
        toms = wrote(central, tom, "games", "the capybara wins")
        out = tmp_path / "for tom"
        gone = fits(
            central.person.lane("people", "remove", "tom", "--runs", "export", "--to", str(out), "--yes", "--json")
        )
        assert (gone["runs"], gone["machines"], gone["done"]) == (1, ["tom-laptop"], True)
        assert [path.name for path in out.glob("runs/*/*")] == [toms]
        assert tom.lane("ship", "--now", "--json").error["kind"] == "revoked"
        assert seen(tom, "capybara") == [toms], "what is on his machine stays his"
        assert seen(mia, "axolotl") == [diary]


# -- a team of twelve --------------------------------------------------------------------------------------------------


def test_a_team_of_twelve(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as central:
        roles = {"ada": "admin", "lea": "auditor"}
        team = {name: joined(central, tmp_path, name, roles.get(name, "member")) for name in TEAM}
        ada, ben, cleo, finn, lea = (team[name] for name in ("ada", "ben", "cleo", "finn", "lea"))
        fits(ada.lane("groups", "add", "backend", "ben", "cleo", "dan", "eva", "--json"))
        fits(ada.lane("groups", "add", "frontend", "finn", "gus", "hana", "--json"))
        assert ben.lane("groups", "add", "backend", "ben", "--json").error["kind"] == "not-allowed"

        # Ben lends a project to a group: those in it read it, and nobody else
        run = wrote(central, ben, "billing", "the wombat invoice is sent twice")
        share = fits(ben.lane("share", "billing", "--with", "frontend", "--transcripts", "--json"))
        readers = {name for name in TEAM if seen(team[name], "wombat") == [run]}
        assert readers == {"ben", "finn", "gus", "hana"}
        assert answered(central, finn, f"/api/runs/{run}")["turns"][0]["person"] == "the wombat invoice is sent twice"

        # who changes the group changes who reads
        fits(ada.lane("groups", "remove", "frontend", "gus", "--json"))
        fits(ada.lane("groups", "add", "frontend", "cleo", "--json"))
        assert (seen(team["gus"], "wombat"), seen(cleo, "wombat")) == ([], [run])

        # the auditor sees who read, in ids and counts, and nothing of what they read
        acts = audited(lea, "ben", {"finn", "gus", "hana", "cleo"})
        assert "wombat" not in str(acts)
        assert seen(lea, "wombat") == []

        # the admin sees how much is learned, not by whom nor what: a project of one person has no name
        assert ben.lane("people", "insight", "--json").error["kind"] == "not-allowed"
        wrote(central, cleo, "ledger", "the ledger is closed", lesson="the numbat signs the ledger")
        (counted,) = fits(ada.lane("people", "insight", "--json"))
        assert (counted["project"], counted["memories"]) == (None, 1)

        # a lost machine of Finn's is revoked; his other one goes on
        spare = joined(central, tmp_path, "finn", name="finn-tablet")
        assert seen(spare, "wombat") == [run]
        fits(finn.lane("machines", "revoke", "finn-tablet", "--json"))
        assert spare.lane("ship", "--now", "--json").error["kind"] == "revoked"
        assert (seen(spare, "wombat"), seen(finn, "wombat")) == ([], [run])

        # Finn reads it in his browser, marked whose it is, and Ben leaves: what he lent ends with him, also on the
        # screen where it is open; what he sent is kept
        with pages_of(finn) as browser:
            page = browser.page
            browser.go("/shares")
            page.locator("#central-shares").get_by_role("link", name="billing").click(timeout=60_000)
            page.locator("#tree-there").get_by_role("link", name="wombat").click(timeout=60_000)
            page.wait_for_selector("#steps >> text=the wombat invoice is sent twice", timeout=60_000)
            assert page.locator("[data-whose]").inner_text() == "shared by ben, with group frontend"
            words = ("people", "remove", "ben", "--runs", "keep", "--yes", "--json")
            gone = fits(replace(central.person, quick=False).lane(*words))
            page.wait_for_selector(f"text=there is no {run}", timeout=60_000)
            browser.go("/tree")
            page.wait_for_selector("#tree-there-list", state="attached", timeout=60_000)
            assert "wombat" not in page.locator("main").inner_text()
        assert (gone["shares"], gone["machines"]) == (1, ["ben-laptop"])
        assert [seen(one, "wombat") for one in (finn, cleo, ada)] == [[], [], []]
        assert fits(finn.lane("shares", "--json")) == []
        assert ben.lane("unshare", share["id"], "--json").error["kind"] == "revoked"
        assert any(run in name for name in central.archive("ben"))
        states = {row["name"]: row["state"] for row in fits(ada.lane("people", "--json"))}
        assert (states.pop("ben"), set(states.values())) == ("left", {"member"})
