"""Joining with an AT Protocol account, on a real PDS: who gets in, and in which words everybody else is refused."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.shipment import AtSignIn
from memlane.errors import LaneError, NotAllowedError, UnreachableError, UsageError
from memlane.identity.pds import service_word
from memlane.identity.web import Service, host_of
from tests.acceptance.central import Central, machine
from tests.acceptance.command_line import CommandOutcome
from tests.clients.identity.servers import AtAccount, Pds
from tests.clients.object_store import free_ports

NUMBERS = count()


@pytest.fixture(scope="module")
def noor(a_pds: Pds, at_central: Central) -> AtAccount:
    """Linked; nobody else is."""
    account = a_pds.account("noor.test")
    assert at_central.person.lane("people", "link", "noor", account.did).code == 0
    return account


@pytest.fixture(scope="module")
def eve(a_pds: Pds) -> AtAccount:
    return a_pds.account("eve.test")


def join(central: Central, home: Path, *words: str, password: str, user: str = "noor", **more: str) -> CommandOutcome:
    person = machine(home, f"laptop-{next(NUMBERS)}", user)
    return person.lane("join", central.url, "--json", *words, given=password + "\n", **more)


def word(pds: Pds, who: AtAccount, audience: str) -> str:
    service = Service("the PDS", pds.url, host_of(pds.url))
    return service_word(service, who.did, who.app_password, audience).token


def audience_of(central: Central) -> str:
    return "did:web:" + central.url.removeprefix("http://").replace(":", "%3A")


def refused(central: Central, at_home: Lane, token: str) -> LaneError:
    with pytest.raises(LaneError) as raised:
        at_home.shipment.sign_in(central.url, lambda *_: {"atproto": token})
    return raised.value


def test_a_linked_account_joins_by_handle_and_by_did(
    a_pds: Pds, at_central: Central, noor: AtAccount, tmp_path: Path
) -> None:
    by_handle = join(at_central, tmp_path / "a", "--as", "noor.test", "--pds", a_pds.url, password=noor.app_password)
    assert (by_handle.code, by_handle.data["owner"]) == (0, "noor"), by_handle
    by_did = machine(tmp_path / "b", "desktop").lane(
        "join",
        at_central.url,
        "--as",
        noor.did,
        "--json",
        given=noor.app_password + "\n",
        LANE_IDENTITY_PLC=a_pds.plc,
    )
    assert (by_did.code, by_did.data["owner"]) == (0, "noor"), by_did
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert noor.app_password.encode() not in kept
    central = b"".join(path.read_bytes() for path in at_central.person.home.rglob("*") if path.is_file())
    assert noor.app_password.encode() not in central


def test_an_account_that_is_linked_to_nobody_is_told_how_to_be(
    a_pds: Pds, at_central: Central, eve: AtAccount, tmp_path: Path
) -> None:
    ran = join(at_central, tmp_path, "--as", "eve.test", "--pds", a_pds.url, password=eve.app_password, user="eve")
    assert (ran.code, ran.error["kind"]) == (4, "not-allowed")
    assert f"lane people link NAME {eve.did}" in ran.error["hint"]


def test_the_app_password_of_another_person_opens_nothing(
    a_pds: Pds, at_central: Central, noor: AtAccount, eve: AtAccount, tmp_path: Path
) -> None:
    ran = join(at_central, tmp_path, "--as", "noor.test", "--pds", a_pds.url, password=eve.app_password)
    assert (ran.code, ran.error["kind"]) == (4, "not-allowed")
    assert "does not accept noor.test with this app password" in ran.error["message"]
    assert eve.app_password not in ran.err


def test_a_main_password_is_never_sent(at_central: Central, tmp_path: Path) -> None:
    ran = join(at_central, tmp_path, "--as", "noor.test", "--pds", "http://localhost:1", password="my-main-password")
    assert (ran.code, ran.error["kind"]) == (UsageError.exit_code, "usage")
    assert "my-main-password" not in ran.err


def test_a_handle_that_changed_is_the_same_person_under_the_new_name(
    a_pds: Pds, at_central: Central, noor: AtAccount, tmp_path: Path
) -> None:
    mara = a_pds.account("mara.test")
    assert at_central.person.lane("people", "link", "mara", mara.did).code == 0
    a_pds.call("com.atproto.identity.updateHandle", {"handle": "mara-new.test"}, mara.token)
    old = join(at_central, tmp_path / "a", "--as", "mara.test", "--pds", a_pds.url, password=mara.app_password)
    assert (old.code, "did the handle change" in old.error["hint"]) == (4, True)
    new = join(
        at_central, tmp_path / "b", "--as", "mara-new.test", "--pds", a_pds.url, password=mara.app_password, user="mara"
    )
    assert (new.code, new.data["owner"]) == (0, "mara")


def test_a_word_is_good_once_for_one_server_and_one_method(
    a_pds: Pds, at_central: Central, noor: AtAccount, at_home: Lane
) -> None:
    token = word(a_pds, noor, audience_of(at_central))
    assert at_home.shipment.sign_in(at_central.url, lambda *_: {"atproto": token})
    assert "used already" in refused(at_central, at_home, token).message
    assert "for another server" in refused(at_central, at_home, word(a_pds, noor, "did:web:evil.example")).message
    cut = word(a_pds, noor, audience_of(at_central))[:-3]
    assert "not signed with the key" in refused(at_central, at_home, cut + "AAA").message
    for nonsense in ("x", "a.b.c", "e30.e30.", "A" * 4000):
        assert "no sign-in of a PDS" in refused(at_central, at_home, nonsense).message


def test_what_an_old_pds_says_after_an_account_moved_is_refused(a_pds: Pds, at_central: Central, at_home: Lane) -> None:
    moved = a_pds.account("moved.test")
    assert at_central.person.lane("people", "link", "moved", moved.did).code == 0
    a_pds.move(moved.did, "http://localhost:1")
    error = refused(at_central, at_home, word(a_pds, moved, audience_of(at_central)))
    assert ("not signed with the key" in error.message, "moved to another PDS" in error.hint) == (True, True)


def test_a_pds_that_is_down_is_said_and_what_had_joined_goes_on(
    a_pds: Pds, at_central: Central, noor: AtAccount, tmp_path: Path
) -> None:
    joined = join(at_central, tmp_path / "a", "--as", noor.did, "--pds", a_pds.url, password=noor.app_password)
    assert joined.code == 0, joined
    a_pds.server.stop()
    try:
        ran = join(at_central, tmp_path / "b", "--as", "noor.test", "--pds", a_pds.url, password=noor.app_password)
        assert (ran.code, "does not answer" in ran.error["message"]) == (UnreachableError.exit_code, True)
        assert machine(tmp_path / "a", joined.data["machine"]).lane("ship", "--now", "--json").code == 0
    finally:
        a_pds.server.start()


def test_a_revoked_app_password_or_an_ended_link_opens_nothing(
    a_pds: Pds, at_central: Central, tmp_path: Path, at_home: Lane
) -> None:
    gone = a_pds.account("gone.test")
    assert at_central.person.lane("people", "link", "gone", gone.did).code == 0
    assert at_central.person.lane("people", "unlink", gone.did).code == 0
    assert "linked to nobody" in refused(at_central, at_home, word(a_pds, gone, audience_of(at_central))).message
    a_pds.call("com.atproto.server.revokeAppPassword", {"name": "lane"}, gone.token)
    ran = join(at_central, tmp_path, "--as", "gone.test", "--pds", a_pds.url, password=gone.app_password, user="gone")
    assert (ran.code, ran.error["kind"]) == (4, "not-allowed")


def test_a_central_that_gives_another_name_gets_no_word(a_pds: Pds, at_home: Lane, noor: AtAccount) -> None:
    """It could use it at the one whose name it gives."""
    asked = AtSignIn("noor.test", lambda _pds: noor.app_password, a_pds.url)
    offer = {"atproto": {"audience": "did:web:good.example"}}
    with pytest.raises(NotAllowedError, match=r"its address is did:web:evil\.example"):
        asked("https://evil.example", offer, at_home.config)


def test_a_central_whose_directory_is_down_says_so(a_pds: Pds, noor: AtAccount, tmp_path: Path) -> None:
    from memlane.identity.did import document_of

    with pytest.raises(UnreachableError, match="the PLC directory does not answer"):
        document_of(noor.did, f"http://localhost:{free_ports(1)[0]}")
