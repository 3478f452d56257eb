"""Joining by OpenID Connect, with a real provider: the device flow, who gets in, and what is refused."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.shipment import DevicePrompt, OidcSignIn
from memlane.config import load
from memlane.errors import LaneError, NotAllowedError, UnreachableError
from memlane.identity.oidc import by_device, issuer_at
from tests.acceptance.central import Central, machine, serving
from tests.clients.identity.servers import Provider


def word(provider: Provider, user: str, client: str = "lane") -> str:
    """An id_token, as the real device flow gives it."""
    return by_device(issuer_at(provider.issuer), client, lambda one: provider.approve(one.whole, user), lambda _s: None)


def refused(central: Central, at_home: Lane, token: str) -> LaneError:
    with pytest.raises(LaneError) as raised:
        at_home.shipment.sign_in(central.url, lambda *_: {"oidc": token})
    return raised.value


def groups(central: Central) -> dict[str, list[str]]:
    return {one["name"]: one["people"] for one in central.person.lane("groups", "--json").data}


def test_somebody_new_joins_in_a_browser_and_is_in_their_groups(
    provider: Provider, oidc_central: Central, tmp_path: Path
) -> None:
    joining = machine(tmp_path, "laptop", "someone").start("join", oidc_central.url, "--oidc", "--json")
    assert joining.stderr is not None
    said = b""
    while b"user_code=" not in said:
        said = joining.stderr.readline()
        assert said, joining.communicate()
    threading.Thread(target=provider.approve, args=(said.split()[-1].decode(), "mara")).start()
    out, err = joining.communicate(timeout=60)
    assert (joining.returncode, b'"owner":"mara"' in out.replace(b" ", b"")) == (0, True), (out, err)
    known = groups(oidc_central)
    assert ("mara" in known["platform"], known["readers"]) == (True, ["mara"])
    identities = oidc_central.person.lane("people", "identities", "--json").data
    assert ("mara", provider.issuer, "mara") in [(one["person"], one["issuer"], one["subject"]) for one in identities]


def test_only_the_group_that_may_gets_in(provider: Provider, oidc_central: Central, at_home: Lane) -> None:
    assert "not in platform" in refused(oidc_central, at_home, word(provider, "eve")).message


def test_a_name_that_is_taken_is_not_given_to_whom_the_issuer_calls_so(
    provider: Provider, oidc_central: Central, at_home: Lane
) -> None:
    """The operator of this Central is somebody else than the issuer's `operator`, as far as anybody knows."""
    assert oidc_central.person.lane("machines", "invite").code == 0
    error = refused(oidc_central, at_home, word(provider, "operator"))
    assert ("nothing says that it is you" in error.message, "lane people link operator operator" in error.hint) == (
        True,
        True,
    )


def test_nobody_takes_a_name_that_belonged_to_somebody_whose_runs_are_kept(
    provider: Provider, oidc_central: Central, tmp_path: Path
) -> None:
    """The operator's before anybody has joined; that of somebody who left; another one's in capitals."""
    central = oidc_central.person.lane
    assert central("people", "invite", "gone").code == 0
    assert central("people", "remove", "gone", "--runs", "keep", "--yes").code == 0
    with serving(tmp_path / "fresh", variables=dict(oidc_central.person.variables)) as fresh:
        for one, name in ((fresh, "operator"), (oidc_central, "gone"), (oidc_central, "OPERATOR")):
            home = tmp_path / name
            with Lane(load({"HOME": str(home), "LANE_USER": name, "LANE_MACHINE": "tower"})) as lane:
                lane.home.begin()
                lane.memories.remember("the wifi password moved to the drawer", tmp_path)
                assert "nothing says that it is you" in refused(one, lane, word(provider, "ivo")).message, name
        assert "OPERATOR" not in str(fresh.person.lane("people", "--json").data)


def test_a_word_is_good_once_and_for_this_client_alone(
    provider: Provider, oidc_central: Central, at_home: Lane
) -> None:
    token = word(provider, "noor")
    assert at_home.shipment.sign_in(oidc_central.url, lambda *_: {"oidc": token})
    assert "used already" in refused(oidc_central, at_home, token).message
    assert "another client" in refused(oidc_central, at_home, word(provider, "noor", "another")).message


def test_a_key_that_was_rotated_out_opens_nothing_and_the_new_one_does(
    provider: Provider, oidc_central: Central, at_home: Lane
) -> None:
    old = word(provider, "noor")
    provider.rotate()
    assert "a key that its issuer does not have" in refused(oidc_central, at_home, old).message
    assert at_home.shipment.sign_in(
        oidc_central.url, OidcSignIn(lambda _issuer, prompt: provider.approve(prompt.whole, "noor"))
    )


def test_an_issuer_that_is_down_is_said(provider: Provider, oidc_central: Central, at_home: Lane) -> None:
    token = word(provider, "noor")
    provider.server.stop()
    try:
        error = refused(oidc_central, at_home, token)
        assert (type(error), "does not answer" in error.message) == (UnreachableError, True)
    finally:
        provider.server.start()


def test_a_central_without_an_issuer_says_how_else_to_join(at_central: Central, at_home: Lane) -> None:
    with pytest.raises(NotAllowedError, match="takes no OpenID sign-ins") as raised:
        at_home.shipment.sign_in(at_central.url, OidcSignIn(_nothing))
    assert "one-time code" in raised.value.hint
    assert "takes no OpenID sign-ins" in refused(at_central, at_home, "x").message


def _nothing(_issuer: str, _prompt: DevicePrompt) -> None:
    raise AssertionError("nobody is asked")


def test_a_home_with_runs_keeps_its_name_where_that_is_free(
    provider: Provider, oidc_central: Central, tmp_path: Path
) -> None:
    with Lane(load({"HOME": str(tmp_path), "LANE_USER": "kim.k", "LANE_MACHINE": "tower"})) as lane:
        lane.home.begin()
        lane.memories.remember("the wifi password moved to the drawer", tmp_path)
        token = word(provider, "kim")
        assert lane.shipment.join(oidc_central.url, lane.shipment.sign_in(oidc_central.url, lambda *_: {"oidc": token}))
        assert lane.shipment.member is not None
        assert lane.shipment.member.owner == "kim.k"


def test_an_issuer_that_calls_itself_something_else_is_refused(provider: Provider) -> None:
    with pytest.raises(NotAllowedError, match="calls itself"):
        issuer_at(provider.issuer.replace("127.0.0.1", "localhost"))
