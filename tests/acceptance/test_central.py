"""The story of the run archive: two machines, one Central, everything that a person sees of it."""

from __future__ import annotations

import json
import os
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memlane.app import Lane
from memlane.app.home import contact
from memlane.app.shipment import desk as ship_desk
from memlane.archive import journal_frames, packed
from memlane.config import load
from memlane.domain import Level
from tests.acceptance.central import Central, archived, machine, serving
from tests.acceptance.command_line import CommandOutcome, Person, misfits, schema_of, unpublished
from tests.acceptance.terminal import seated


@pytest.fixture(scope="module")
def central(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Central]:
    with serving(tmp_path_factory.mktemp("central")) as one:
        yield one


def joined(central: Central, home: Path, name: str, user: str) -> Person:
    person = machine(home, name, user)
    ran = person.lane("join", central.url, "--code", central.invite(user), "--json")
    assert ran.code == 0, ran
    fits(ran)
    return person


def fits(ran: CommandOutcome) -> None:
    assert misfits(ran.document, schema_of(ran.document)) == []
    assert unpublished(ran.document, schema_of(ran.document)) == []


def shipped(person: Person, *more: str) -> Any:
    ran = person.lane("ship", "--now", "--json", *more)
    assert ran.code == 0, ran
    fits(ran)
    return ran.data


def test_the_story(central: Central, tmp_path: Path) -> None:  # noqa: PLR0915 - one story, told in order
    laptop, desktop = machine(tmp_path / "flagg", "flagg"), joined(central, tmp_path / "tower", "tower", "noor")
    laptop.claude_run("backlog", "seems like an excessive amount of time", "is that how books always were")
    laptop.claude_run("other", "hello from laptop via tailnet")
    assert laptop.lane("capture").code == 0
    fits(laptop.lane("join", central.url, "--code", central.invite("noor"), "--json"))

    # the backlog, then nothing, then a delta alone
    assert len(shipped(laptop)["runs"]) == 2
    assert shipped(laptop)["bytes"] == 0
    assert laptop.lane("ship", "--now").out == "Central has everything\n"
    grown = laptop.claude_run(
        "backlog", "seems like an excessive amount of time", "is that how books always were", "go on"
    )
    assert laptop.lane("capture").code == 0
    delta = shipped(laptop)
    assert 0 < delta["bytes"] < grown.stat().st_size / 2
    assert len(delta["runs"]) == 1
    assert archived(laptop, "noor") == central.archive("noor")

    # what one machine learns, the other knows
    assert laptop.lane("remember", "deploys of the shop go through make ship").code == 0
    shipped(laptop)
    assert shipped(desktop)["received"] > 0
    (known,) = desktop.lane("mem", "list", "--json").data
    assert known["title"] == "deploys of the shop go through make ship"

    # every machine finds, lists and reads the runs of all of them
    desktop.claude_run("home", "what is on the desktop stays findable too")
    assert desktop.lane("capture").code == 0
    assert central.person.lane("work", "--once").code == 0
    for words, machines in (("tailnet", {"flagg"}), ("findable", {"tower"})):
        found = desktop.lane("search", words, "--json")
        fits(found)
        assert {hit["machine"] for hit in found.data} >= machines
    assert desktop.lane("search", "tailnet", "--here", "--json").data == []
    assert {run["machine"] for run in desktop.lane("runs", "--json").data} == {"flagg", "tower"}
    assert {run["machine"] for run in desktop.lane("runs", "--machine", "flagg", "--json").data} == {"flagg"}
    tree = desktop.on_screen("tree", "--by", "machine", columns=120).out
    assert "@flagg" in tree
    assert "@tower" in tree
    (hit,) = [hit for hit in desktop.lane("search", "tailnet", "--json").data if hit["machine"] == "flagg"]
    shown = desktop.lane("show", hit["run"], "--json")
    assert shown.data["turns"][0]["person"] == "hello from laptop via tailnet"
    assert desktop.raw(hit["run"]) == laptop.raw(hit["run"])

    # both are on the list; one is revoked, by the owner, from the other machine
    rows = laptop.lane("machines", "list", "--json")
    fits(rows)
    assert {row["title"] for row in rows.data} == {"flagg", "tower"}
    fits(laptop.lane("machines", "rename", "tower", "the tower", "--json"))
    fits(laptop.lane("machines", "revoke", "the tower", "--json"))
    desktop.claude_run("late", "captured after it was revoked")
    assert desktop.lane("capture").code == 0
    refused = desktop.lane("ship", "--now", "--json")
    assert (refused.code, refused.error["kind"]) == (4, "revoked")
    assert "revoked" in refused.error["message"]

    # what is here is still found, and it says that this is not all
    alone = desktop.lane("search", "findable", "--json")
    assert alone.data
    assert "revoked" in alone.document["meta"]["central"]

    # nothing that was captured meanwhile is lost
    status = desktop.lane("ship", "--json")
    fits(status)
    assert status.document["meta"]["behind"]["runs"] == 2
    assert desktop.lane("join", central.url, "--code", central.invite("noor")).code == 0
    assert len(shipped(desktop)["runs"]) == 2
    both = {**archived(laptop, "noor"), **archived(desktop, "noor")}
    assert {name: data for name, data in central.archive("noor").items() if name in both} == both
    fits(central.person.lane("machines", "list", "--json"))


LARGE = "5a0c7f3e-1111-4222-8333-944444444444"


def test_a_run_of_any_size_is_read_on_another_machine(central: Central, tmp_path: Path) -> None:
    """More than one request may hold, and a side file of more than one answer; then again, when it has grown."""
    there, here = (joined(central, tmp_path / name, name, "mia") for name in ("rack", "couch"))
    transcript = there.claude_run(LARGE, "we named the blue heron Gustav")
    with transcript.open("a") as file:
        for _line in range(9):
            file.write(json.dumps({"type": "progress", "sessionId": LARGE, "data": "x" * (1 << 20)}) + "\n")
    listings = transcript.with_suffix("") / "tool-results"
    listings.mkdir(parents=True)
    for n in range(10):
        (listings / f"{n}.txt").write_text(f"a line of listing {n}\n" * 500_000)
    run = captured_and_shipped(there)
    shipped(here)
    assert "Gustav" in here.lane("show", run, "--json").out
    assert here.raw(run) == transcript.read_bytes()
    copies = here.lane_home / "copies" / "archive" / "mia" / "runs"
    assert sum(path.stat().st_size for path in copies.rglob("*") if path.is_file()) > 96 << 20
    beside = {path.name[-5:]: path.read_bytes() for path in copies.rglob("*.txt")}
    assert beside == {path.name: path.read_bytes() for path in listings.iterdir()}
    with transcript.open("a") as file:
        said = {"role": "user", "content": "and the grey one Ottilie"}
        file.write(json.dumps({"type": "user", "sessionId": LARGE, "uuid": "u9", "message": said}) + "\n")
    assert captured_and_shipped(there) == run
    assert "Ottilie" in here.lane("show", run, "--json").out
    assert here.raw(run) == transcript.read_bytes()


def captured_and_shipped(person: Person) -> str:
    assert person.lane("capture").code == 0
    shipped(person)
    (run,) = person.lane("runs", "--here", "--json").data
    return run["id"]


def test_the_tree_of_all_machines_is_followed_live(central: Central, tmp_path: Path) -> None:
    desk, laptop = (joined(central, tmp_path / name, name, "rue") for name in ("desk", "lap"))
    desk.claude_run("first", "paint the shed green")
    captured_and_shipped(desk)
    with seated(desk, "tree", "--follow") as seat:
        seat.sees("paint the shed green", "Ctrl+C")
        desk.claude_run("second", "mow the lawn behind it")
        assert desk.lane("capture").code == 0
        seat.sees("mow the lawn behind it")
        laptop.claude_run("third", "feed the tortoise")
        captured_and_shipped(laptop)
        assert central.person.lane("work", "--once").code == 0
        seat.sees("feed the tortoise", "@lap", "@desk")
        seat.press("\x03")
        assert seat.ends() == 130
        assert seat.cooked
        assert "1049" not in seat.glass.modes


def test_a_tree_that_is_followed_needs_a_terminal(central: Central, tmp_path: Path) -> None:
    refused = joined(central, tmp_path, "pipe", "rue").lane("tree", "--follow")
    assert (refused.code, "--follow needs an interactive terminal" in refused.err) == (2, True)


def test_a_code_opens_once_and_for_the_person_it_was_made_for(central: Central, tmp_path: Path) -> None:
    code = central.invite("ada")
    first, second = machine(tmp_path / "a", "a1", "ada"), machine(tmp_path / "b", "b1", "ada")
    assert first.lane("join", central.url, "--code", code.upper().replace("-", " ")).code == 0
    again = second.lane("join", central.url, "--code", code, "--json")
    assert (again.code, again.error["message"]) == (4, "this code was used already")
    assert second.lane("join", central.url, "--code", "aaaa-bbbb-cccc-dddd", "--json").code == 4
    stranger = machine(tmp_path / "c", "c1", "eve")
    stranger.claude_run("mine", "runs of eve")
    stranger.lane("capture")
    other = stranger.lane("join", central.url, "--code", central.invite("ada"), "--json")
    assert (other.code, "belong to eve" in other.error["message"]) == (4, True)


@pytest.mark.fault("B11")
def test_a_copied_home_is_told_apart_and_gets_a_name_of_its_own(central: Central, tmp_path: Path) -> None:
    original = joined(central, tmp_path / "home", "mac", "lin")
    shutil.copytree(tmp_path / "home", tmp_path / "copy")
    copy = machine(tmp_path / "copy", "mac", "lin")
    refused = copy.lane("ship", "--now", "--json")
    assert (refused.code, refused.error["kind"]) == (4, "copied-home")
    assert copy.lane("join", central.url, "--code", central.invite("lin"), "--json").error["kind"] == "not-allowed"
    assert copy.lane("leave", "--copy", "--json").code == 0
    copy = machine(tmp_path / "copy", "mac2", "lin")
    assert copy.lane("join", central.url, "--code", central.invite("lin")).code == 0
    shipped(copy)
    shipped(original)


def test_what_changes_right_after_a_contact_goes_with_the_next_one_by_itself(central: Central, tmp_path: Path) -> None:
    """Nobody calls anything afterwards, and no daemon runs."""
    laptop = joined(central, tmp_path / "nook", "nook", "ida")
    shipped(laptop)
    met = laptop.lane_home / "run" / "contact"
    nearly = time.time() - contact.EVERY + 1
    os.utime(met, (nearly, nearly))
    process = Person(laptop.home, laptop.variables)
    assert process.lane("remember", "the boat is called Skadi", LANE_SHIP_BACKGROUND="true").code == 0
    until = time.monotonic() + 60
    while not any(b"Skadi" in data for data in central.archive("ida").values()):
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_machine_that_has_captured_nothing_asks_central(central: Central, tmp_path: Path) -> None:
    boat, desk = (joined(central, tmp_path / name, name, "mira") for name in ("boat", "desk"))
    boat.claude_run("tides", "the slack water is at noon")
    assert boat.lane("capture").code == 0
    shipped(boat)
    assert central.person.lane("work", "--once").code == 0
    assert [hit["machine"] for hit in desk.lane("search", "slack", "--json").data] == ["boat"]
    assert [run["machine"] for run in desk.lane("runs", "--json").data] == ["boat"]
    nowhere = desk.lane("search", "volcano")
    assert (nowhere.code, "Nothing has been captured on this machine yet" in nowhere.err) == (0, True)


def test_verify_on_central_reads_everybodys_part_its_records_and_the_audit(central: Central, tmp_path: Path) -> None:
    jo = joined(central, tmp_path / "jo", "jos", "jo")
    jo.claude_run("ferry", "when does the ferry leave")
    assert jo.lane("capture").code == 0
    shipped(jo)
    whole = central.person.lane("archive", "verify", "--json")
    fits(whole)
    assert (whole.code, whole.document["meta"]["failed"], whole.document["meta"]["runs"] > 0) == (0, 0, True)
    archive = central.person.lane_home / "archive"
    for whose, where, name in (
        ("jo", "jo/runs", "g1.raw"),
        ("+control", "%2bcontrol/journal", "*.jsonl"),
        ("audit", "%2bcontrol/audit", "*.jsonl"),
    ):
        path = next((archive / where).rglob(name))
        kept = path.read_bytes()
        path.write_bytes(kept[:20] + bytes([kept[20] ^ 1]) + kept[21:])
        found = central.person.lane("archive", "verify", "--json")
        path.write_bytes(kept)
        assert found.code == 1
        assert any(one["level"] == "FAIL" and one["what"].startswith(f"{whose}: ") for one in found.data), found


@pytest.mark.fault("B7", "B12")
def test_leaving_ends_the_token(central: Central, tmp_path: Path) -> None:
    person = joined(central, tmp_path / "home", "m1", "kim")
    kept = (person.lane_home / "central.json").read_bytes()
    assert (person.lane_home / "central.json").stat().st_mode & 0o777 == 0o600
    left = person.lane("leave", "--json")
    fits(left)
    assert left.document["meta"]["revoked"] is True
    assert person.lane("ship", "--now").code == 3
    (person.lane_home / "central.json").write_bytes(kept)  # whoever kept a copy of the token
    assert person.lane("ship", "--now", "--json").error["kind"] == "revoked"


@pytest.mark.fault("K3")
def test_a_machine_that_only_ships_reads_nothing(central: Central, tmp_path: Path) -> None:
    person = machine(tmp_path / "home", "box", "sam")
    assert person.lane("join", central.url, "--code", central.invite("sam", "--ship-only")).code == 0
    person.claude_run("one", "from a build machine")
    person.lane("capture")
    assert len(shipped(person)["runs"]) == 1
    token = json.loads((person.lane_home / "central.json").read_bytes())["token"]
    assert asked(central, "/api/runs", token)[0] == 403
    assert asked(central, "/api/machines", token)[0] == 403
    other = joined(central, tmp_path / "other", "m8", "sam")
    other.claude_run("two", "from another machine of theirs")
    other.lane("capture")
    assert other.lane("remember", "the harbour office closes at noon").code == 0
    assert len(shipped(other)["runs"]) == 1
    held = asked(central, "/api/ship", token)[1]["data"]
    assert (len(held["runs"]), held["journals"]) == (1, {})
    assert asked(central, "/api/lines", token, body=b'{"files":[]}', type="application/json")[0] == 403


@pytest.mark.fault("K4")
def test_a_machine_that_only_ships_changes_nothing_that_others_keep(central: Central, tmp_path: Path) -> None:
    person = machine(tmp_path / "home", "bench", "kay")
    assert person.lane("join", central.url, "--code", central.invite("kay", "--ship-only")).code == 0
    assert person.lane("remember", "the ferry is painted green").code == 0
    assert person.lane("ship", "--now", "--json").document["meta"]["behind"]["lines"] == 0
    token = json.loads((person.lane_home / "central.json").read_bytes())["token"]
    with Lane(load(person.surroundings({}))) as lane:
        body = packed(journal_frames(lane.home.disk, lane.home.layout, {}))
    (answer,) = asked(central, "/api/ship", token, body=body)[1]["data"]
    assert (answer["answer"], "runs alone" in answer["why"]) == ("refused", True)


def test_a_machine_whose_clock_is_wrong_joins_and_is_told(central: Central, tmp_path: Path) -> None:
    """What it sends is taken all the same: nothing is ordered by the clocks of machines alone."""
    person = machine(tmp_path / "home", "m9", "zoe")
    person.claude_run("one", "said an hour from now")
    with Lane(load(person.surroundings({})), clock=lambda: datetime.now(UTC) + timedelta(hours=1)) as lane:
        lane.capture.sweep()
        lane.shipment.join(central.url, central.invite("zoe"))
        assert len(lane.shipment.now().runs) == 1
        said = [one.what for one in lane.shipment.findings()]
    assert any(one.startswith("this machine's clock is 3") and "ahead of Central's" in one for one in said), said
    assert "clock" in person.lane("doctor").out


def test_the_door_refuses_in_words(central: Central, tmp_path: Path) -> None:
    person = joined(central, tmp_path / "home", "m2", "pat")
    token = json.loads((person.lane_home / "central.json").read_bytes())["token"]
    assert asked(central, "/health")[0] == asked(central, "/ready")[0] == 200
    assert asked(central, "/api/runs")[1]["error"]["kind"] == "no-token"
    assert (
        "mistyped"
        in asked(central, "/api/runs", token[:-1] + ("a" if token[-1] != "a" else "b"))[1]["error"]["message"]
    )
    assert asked(central, "/api/runs", token, meant="c_another")[1]["error"]["kind"] == "wrong-central"
    assert asked(central, "/api/nothing", token)[0] == 404
    assert asked(central, "/api/ship", token, body=b"x" * (17 << 20))[0] == 413
    assert asked(central, "/api/ship", token, body=b"no frames", type="application/vnd.memlane.frames")[0] == 400
    assert asked(central, "/api/ship", token, body=b"{}", type="application/json")[0] == 415
    assert asked(central, "/api/runs", token, origin="https://evil.example")[0] == 403
    status, _said, headers = answer(central, "/api/machines", token, request="my-request-1")
    assert (status, headers["x-request-id"]) == (200, "my-request-1")
    assert "lane_requests_total" in answer(central, "/metrics")[1].decode()


def asked(central: Central, path: str, token: str = "", **more: Any) -> tuple[int, Any]:
    status, body, _headers = answer(central, path, token, **more)
    return status, json.loads(body) if body.startswith(b"{") else body


def answer(
    central: Central, path: str, token: str = "", body: bytes | None = None, type: str = "", **more: str
) -> tuple[int, bytes, dict[str, str]]:
    names = {"meant": "X-Lane-Central", "origin": "Origin", "request": "X-Request-Id"}
    headers = {names[name]: value for name, value in more.items()}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    headers |= {"Content-Type": type or "application/vnd.memlane.frames"} if body is not None else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(central.url + path, body, headers), timeout=20) as reply:
            return reply.status, reply.read(), {name.lower(): value for name, value in reply.headers.items()}
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), {name.lower(): value for name, value in error.headers.items()}
    except (urllib.error.URLError, ConnectionError):
        return 413, b"{}", {}  # it was closed while we still sent what is too large


def test_plain_http_stays_on_this_computer(tmp_path: Path) -> None:
    person = machine(tmp_path, "m3", "operator")
    refused = person.lane("serve", "--host", "0.0.0.0", "--port", "0", "--json")
    assert (refused.code, "every token" in refused.error["message"]) == (2, True)
    assert person.lane("serve", "--cert", "nowhere.pem", "--json").code == 2


@pytest.mark.fault("B5")
def test_nothing_is_sent_while_central_is_away_and_nothing_is_lost(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as one:
        person = joined(one, tmp_path / "home", "m4", "noor")
        port = int(one.url.rpartition(":")[2])
    person.claude_run("one", "while nobody answers")
    assert person.lane("capture").code == 0
    away = person.lane("ship", "--now", "--json")
    assert (away.code, away.error["kind"]) == (5, "unreachable")
    with serving(tmp_path / "central", port=port) as one:
        assert len(shipped(person)["runs"]) == 1
        assert one.archive("noor") == archived(person, "noor")


@pytest.mark.fault("B5")
def test_a_machine_that_is_behind_says_so(central: Central, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By how many runs, how many bytes, and how long: each alone is enough."""
    person, now = joined(central, tmp_path / "home", "m6", "uma"), datetime.now(UTC)
    person.claude_run("first", "nobody has sent this yet")
    assert len(person.lane("capture", "--json").data) == 1

    def warned(minutes: int = 0) -> str:
        with Lane(load(person.surroundings({})), clock=lambda: now + timedelta(minutes=minutes)) as lane:
            return "; ".join(one.what for one in lane.shipment.findings() if one.level is Level.WARN)

    assert warned(59) == ""
    assert "nothing was sent for 6" in warned(62)
    monkeypatch.setattr(ship_desk, "MANY_BYTES", 100)
    assert "MiB are not on Central yet" in warned()
    monkeypatch.undo()
    for n in range(ship_desk.MANY_RUNS - 1):
        person.claude_run(f"more{n}", f"nor this, the {n}th")
    person.lane("capture")
    assert "25 runs are not on Central yet" in warned()
    for command in ("status", "doctor"):
        assert "25 runs are not on Central yet" in person.lane(command).out, command
    shipped(person)
    assert warned(600) == ""


def test_a_lesson_that_two_machines_learned_alone_becomes_one(central: Central, tmp_path: Path) -> None:
    """Both have dreamed before they knew of each other, and both dream again: neither makes a third."""
    homes = [joined(central, tmp_path / name, name, "liv") for name in ("den", "attic")]
    for person in homes:
        person.claude_run("rule", "From now on always keep the orders in Postgres, never in MySQL.", "go on", "thanks")
        assert person.lane("capture").code == 0
        assert person.lane("catch").code == 0
        assert len(known_of(person)) == 1
    for person in (*homes, *homes):
        shipped(person)
    assert len(known_of(homes[0])) == len(known_of(homes[1]))
    for person in homes:
        assert person.lane("dream", "--now").code == 0
    for person in (*homes, *homes):
        shipped(person)
    one, other = (known_of(person) for person in homes)
    assert len(one) == 1
    assert one == other


def known_of(person: Person) -> list[tuple[str, str]]:
    return [(one["id"], one["title"]) for one in person.lane("mem", "list", "--state", "active", "--json").data]


def test_what_is_left_out_paused_or_forgotten_does_not_leave(central: Central, tmp_path: Path) -> None:
    person = joined(central, tmp_path / "home", "m5", "ida")
    person.claude_run("secret", "nothing of this leaves", project="private")
    person.claude_run("gone", "nor this")
    person.claude_run("fine", "but this does")
    runs = {run["session_id"]: run["run"] for run in person.lane("capture", "--json").data}
    person.lane("exclude", "add", "/home/dev/private")
    person.lane("forget", runs["gone"])
    person.lane("pause", "30m")
    assert shipped(person)["runs"] == []
    person.lane("pause", "--off")
    assert shipped(person)["runs"] == [runs["fine"]]
    assert not any(runs["secret"] in name or runs["gone"] in name for name in central.archive("ida"))


def test_forgetting_for_good_reaches_central_and_every_machine(central: Central, tmp_path: Path) -> None:
    one, other = (joined(central, tmp_path / name, name, "eli") for name in ("p1", "p2"))
    one.claude_run("run", "the wifi password moved to the blue notebook")
    (captured,) = one.lane("capture", "--json").data
    memory = one.lane("remember", "the blue notebook is in the drawer", "--json").data["id"]
    shipped(one)
    shipped(other)
    assert [m["id"] for m in other.lane("mem", "list", "--json").data] == [memory]
    assert one.lane("forget", captured["run"], "--now", "--yes").code == 0
    assert one.lane("mem", "forget", memory, "--now", "--yes").code == 0
    shipped(one)
    assert central.person.lane("work", "--once").code == 0
    shipped(other)
    assert other.lane("mem", "list", "--json").data == []
    for place in (one.lane_home, other.lane_home, central.person.lane_home):
        found = [path for path in place.rglob("*") if path.is_file() and b"blue notebook" in path.read_bytes()]
        assert found == []
    assert archived(one, "eli")["journal/2026-11/p1.jsonl"] == central.archive("eli")["journal/2026-11/p1.jsonl"]
