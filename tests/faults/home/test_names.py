"""The names of the person and of the machine are part of every run's id: a misspelt one is named at once."""

from __future__ import annotations

import pytest

from tests.acceptance.command_line import Person
from tests.conftest import LaneHome


@pytest.mark.parametrize("name", ["user", "machine"])
def test_settings_with_a_name_the_archive_does_not_know_are_named(lane_home: LaneHome, name: str) -> None:
    person = Person(lane_home.home, {"LANE_USER": "noor", "LANE_MACHINE": "laptop"}, quick=True)
    person.claude_run("one", "deploy the shop")
    assert person.lane("capture").code == 0

    def said(**given: str) -> list[str]:
        return [one["what"] for one in person.lane("doctor", "--json", **given).data if one["kind"] == "settings"]

    assert said() == []
    (what,) = said(**{f"LANE_{name.upper()}": "misspelt"})
    assert what.startswith(f"the {name} is misspelt in the settings, and the archive only knows ")
