"""What others share is recalled on one's own machine, with whose it is: offline too, in no journal, until it ends."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from campaigns.agents import until
from tests.acceptance.central import Central, archived, machine, serving
from tests.acceptance.command_line import Person
from tests.acceptance.hooks import HookHome, installed
from tests.acceptance.test_sharing import fits, joined, sent

LESSON = "the till is closed before the stock is counted, or the day is booked twice"
PROMPT = "the stock is counted and the day was booked twice, how do I close the till?"
HABIT = "every price in the shop is kept in cents"


@dataclass(frozen=True)
class Team:
    """Noor, who lends, and Mira, who has the same shop in a checkout of her own."""

    central: Central
    noor: Person
    mira: Person
    hooks: HookHome

    def remember(self, lesson: str, *more: str) -> str:
        made = fits(self.noor.lane("remember", lesson, "--cwd", str(self.noor.home / "shop"), *more, "--json"))
        sent(self.central, self.noor)
        return made["id"]

    def share(self, *more: str) -> str:
        return fits(self.noor.lane("share", "acme/shop", "--with", "mira", *more, "--json"))["id"]

    def meet(self) -> None:
        """Mira's machine is in contact."""
        assert self.mira.lane("ship", "--now").code == 0

    def recalled(self) -> list[dict[str, object]]:
        return fits(self.mira.lane("recall", PROMPT, "--cwd", str(self.mira.home / "shop"), "--json"))

    def told(self) -> str:
        """What an agent in Mira's checkout is given in the end: the daemon may need more than one hook to start."""
        said: list[str] = []
        assert until(lambda: bool(said.append(self.asked(f"told {time.monotonic_ns()}")) or said[-1]), looks=50)
        return said[-1]

    def asked(self, session: str) -> str:
        """The same at once; "" for silence."""
        given = self.hooks.given("UserPromptSubmit", PROMPT, session, cwd=str(self.mira.home / "shop"))
        said = self.hooks.call("UserPromptSubmit", given)
        return "" if said.silent else said.context


def checkout(person: Person) -> None:
    git = person.home / "shop" / ".git"
    git.mkdir(parents=True)
    (git / "config").write_text('[remote "origin"]\n\turl = https://git.example/acme/shop.git\n')


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    with serving(tmp_path / "central") as central:
        noor, mira = (joined(central, tmp_path, name) for name in ("noor", "mira"))
        for one in (noor, mira):
            checkout(one)
        transcript = noor.claude_run("till", "the till is slow", project="shop")
        transcript.write_text(transcript.read_text().replace("/home/dev/shop", str(noor.home / "shop")))
        assert noor.lane("capture").code == 0
        hooks = installed(mira.home, mira.lane_home)
        yield Team(central, noor, mira, hooks)
        hooks.end()


def held(person: Person, words: str) -> list[str]:
    """Files of a home that have these words."""
    files = (path for path in person.lane_home.rglob("*") if path.is_file())
    return [str(path.relative_to(person.lane_home)) for path in files if words.encode() in path.read_bytes()]


def test_what_is_shared_is_recalled_with_whose_it_is_and_kept_in_no_journal(team: Team) -> None:
    lesson = team.remember(LESSON)
    assert team.recalled() == []
    team.share()
    team.meet()

    (match,) = team.recalled()
    assert (match["id"], match["owner"], match["title"]) == (lesson, "noor", LESSON)
    assert f"shared by noor] {LESSON}" in team.told()
    assert f"(noor's) {LESSON[:40]}" in team.mira.on_screen("mem", "list", columns=160).out
    assert "noor" in team.mira.on_screen("mem", "show", lesson).out
    assert team.mira.lane("mem", "forget", lesson, "--json").error["kind"] == "not-found"
    assert "Visible to  you, mira" in team.noor.on_screen("mem", "show", lesson).out

    # without a network, too
    team.central.server.send_signal(signal.SIGSTOP)
    try:
        assert LESSON in team.told()
    finally:
        team.central.server.send_signal(signal.SIGCONT)

    # what her machine wrote down of it says which memory it was, and not a word of it
    why = fits(team.mira.lane("why", "--json"))
    assert [(one["id"], one["owner"], one["title"]) for one in why["shown"]] == [(lesson, "noor", LESSON)]
    team.meet()
    journals = b"".join(archived(team.mira, "mira").values())
    assert lesson.encode() in journals
    assert LESSON.encode() not in journals
    assert all(name.startswith("lent/") for name in held(team.mira, LESSON))


@pytest.mark.fault("K9")
def test_what_is_taken_back_is_not_recalled_and_the_receipt_says_where(team: Team) -> None:
    team.remember(LESSON)
    share = team.share()
    team.meet()
    assert LESSON in team.told()
    assert until(lambda: fits(team.mira.lane("recalls", "--json")) != [])
    told = fits(team.mira.lane("recalls", "--json"))[0]["id"]

    receipt = fits(team.noor.lane("unshare", share, "--json"))
    here = {"person": "mira", "machine": "mira-laptop"}
    assert (receipt["reached"], receipt["waiting"]) == ([], [here])
    assert LESSON in team.told(), "her machine was not in contact yet"

    team.meet()
    assert LESSON not in team.asked("later")
    assert team.recalled() == []
    assert held(team.mira, LESSON) == []
    after = fits(team.noor.lane("unshare", share, "--json"))
    assert (after["reached"], after["waiting"]) == ([here], [])
    assert "not shared any more" in team.mira.on_screen("why", told, columns=160).out


def test_a_thin_machine_is_told_by_central_until_the_next_question_after_it_was_taken_back(
    team: Team, tmp_path: Path
) -> None:
    team.remember(LESSON)
    share = team.share()
    code = fits(team.central.person.lane("machines", "invite", "--for", "mira", "--json"))["code"]
    tablet = machine(tmp_path / "tablet", "tablet", "mira")
    assert tablet.lane("join", team.central.url, "--code", code, "--thin", "--json").code == 0
    checkout(tablet)

    def recalled() -> list[tuple[str, str]]:
        found = fits(tablet.lane("recall", PROMPT, "--cwd", str(tablet.home / "shop"), "--json"))
        return [(one["title"], one["owner"]) for one in found]

    assert until(lambda: recalled() == [(LESSON, "noor")])
    receipt = fits(team.noor.lane("unshare", share, "--json"))
    assert [one["machine"] for one in (*receipt["reached"], *receipt["waiting"])] == ["mira-laptop"]
    assert recalled() == []
    assert held(tablet, LESSON) == []
