"""Settings as a person changes them: each takes effect or says why not, and no password is ever printed."""

from __future__ import annotations

import pytest

from memlane.config import SETTINGS, misfit, without_password
from tests.acceptance.command_line import Person
from tests.conftest import LaneHome

PASSWORD = "hunter" + "2@/x"
ENCODED = PASSWORD.replace("@", "%40").replace("/", "%2F")


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    return Person(lane_home.home, {"LANE_USER": "sam", "LANE_MACHINE": "overlook"}, quick=True)


@pytest.fixture
def full(person: Person) -> Person:
    person.claude_run("one", "the worker says connection refused after a deploy")
    assert person.lane("capture").code == 0
    return person


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://lane:{PASSWORD}@localhost/lane",
        f"postgresql://:{PASSWORD}@localhost/lane",
        f"postgresql://localhost/lane?user=lane&password={PASSWORD}&sslmode=require",
        f"http://sam:{PASSWORD}@models.example/v1",
    ],
)
def test_an_address_is_shown_without_its_password(address: str) -> None:
    shown = str(without_password(address))
    assert PASSWORD not in shown
    assert "hunter" not in shown
    assert "localhost" in shown or "models.example" in shown
    assert without_password([address]) == [shown]


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_command_about_settings_prints_a_password(person: Person, form: list[str]) -> None:
    nowhere = f"postgresql://lane:{ENCODED}@no-such-host.invalid/lane"
    for words in (
        ["config", "set", "storage.url", nowhere],
        ["config", "set", "storage.url", f"{nowhere}2"],  # it says what it was
        ["config", "get", "storage.url"],
        ["config", "get", "storage"],
        ["config"],
        ["runs"],
        ["doctor"],
        ["logs"],
        ["config", "set", "storage.url", ""],
        ["config", "set", "storage.url", f"mysql://lane:{PASSWORD}@localhost"],
        ["config", "set", "storage.url", f"postgresql://lane:{PASSWORD}@127.0.0.1/lane"],
        ["config", "set", "storage.url", f"postgresql://lane:{ENCODED}@127.0.0.1:no/lane"],
        ["runs"],
    ):
        ran = person.lane(*words, *form)
        assert "hunter" not in ran.out + ran.err, words


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("storage.url", "mysql://x", "postgresql://"),
        ("storage.url", "localhost/lane", "postgresql://"),
        ("storage.url", "postgresql://", "postgresql://"),
        ("storage.url", f"postgresql://lane:{PASSWORD}@localhost/lane", "%40 for @"),
        ("embed.url", "ftp://models", "http://"),
        ("embed.model", "ollma", "ollama"),
        ("catch.with", "modle", "embedded, model, none"),
        ("catch.model", "claude", "anthropic"),
        ("recall.model", "static", "tuned, onnx, embed, none"),
        ("dream.words", "me", "rules, model"),
        ("recall.floor", "1.5", "from 0 to 1"),
        ("recall.least_confidence", "101", "from 0 to 100"),
        ("recall.start_characters", "9000", "from 0 to 8000"),
        ("recall.per_prompt", "-1", "0 or more"),
        ("http.port", "70000", "from 0 to 65535"),
    ],
)
def test_a_value_that_could_have_no_effect_is_refused(person: Person, name: str, value: str, says: str) -> None:
    ran = person.lane("config", "set", "--", name, value)
    assert ran.code == 2
    assert says in ran.err
    assert not (person.lane_home / "config.toml").exists()


def test_every_default_fits_its_own_rules() -> None:
    assert [one.name for one in SETTINGS.values() if misfit(one, one.default)] == []


def test_what_a_file_says_to_no_effect_is_a_finding(full: Person) -> None:
    with (full.lane_home / "config.toml").open("a") as file:
        file.write('[embed]\nmodle = "ollama"\n[recall]\nfloor = 2.0\n')
    said = [one["what"] for one in full.lane("doctor", "--json").data if one["kind"] == "settings"]
    assert any("embed.modle" in what for what in said)
    assert any("recall.floor must be from 0 to 1" in what for what in said)


def test_a_part_of_a_name_prints_every_setting_below_it(person: Person) -> None:
    records = person.lane("config", "get", "embed").records
    assert ["embed.model", "static"] in records
    assert all(name.startswith("embed.") for name, *_value in records)
    assert person.lane("config", "get", "embed", "--json").document["schema"] == "lane.config.list/1"
    assert person.lane("config", "get", "emb").code == 2


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("embed.name", "mxbai-embed-large", "no effect while embed.model is static"),
        ("embed.model", "ollama", "does not answer"),
        ("embed.model", "onnx", "still answers"),
        ("embed.dimension", "128", "answers until then"),
        ("recall.off_for", "claude-cod", "no agent is called 'claude-cod'"),
        ("capture.exclude", "agent:claude", "no agent is called 'claude'"),
        ("archive.base", "/does/not/exist", "nothing was moved"),
        ("entities.folders", "people", "not TYPE=FOLDER"),
        ("entities.folders", "person=/does/not/exist", "does not exist"),
        ("memory.claude_code", "/does/not/exist", "does not exist"),
        ("catch.with", "model", "model"),
        ("storage.url", "postgresql://lane@127.0.0.1:1/lane", "refused"),
    ],
)
def test_a_change_without_its_effect_says_what_keeps_it(full: Person, name: str, value: str, says: str) -> None:
    ran = full.lane("config", "set", name, value, LANE_EMBED_URL="http://127.0.0.1:1")
    assert ran.code == 0
    assert says in ran.err
    effects = full.lane("config", "set", name, value, "--json", LANE_EMBED_URL="http://127.0.0.1:1").document["meta"]
    assert effects["effects"]


@pytest.mark.parametrize(("name", "value"), [("recall.floor", "0.6"), ("dream.enabled", "false"), ("user", "sam")])
def test_a_change_with_its_effect_says_nothing_else(full: Person, name: str, value: str) -> None:
    ran = full.lane("config", "set", name, value, "--json")
    assert ran.document["meta"]["effects"] == []


def test_another_port_is_listened_at_as_soon_as_it_is_set(full: Person) -> None:
    full.lane("daemon", "start")
    try:
        before = full.lane("daemon", "status", "--json").data["pid"]
        full.lane("config", "set", "http.port", "0")
        assert full.lane("daemon", "--json").data["pid"] != before
    finally:
        full.lane("daemon", "stop")


def test_another_model_is_built_by_the_next_tick_and_status_and_doctor_follow_it(full: Person) -> None:
    before = full.lane("status", "--json").document["meta"]["meaning"]
    assert before["change"] is None
    full.lane("config", "set", "embed.dimension", "128")
    waiting = full.lane("status", "--json").document["meta"]["meaning"]
    assert waiting["model"] == before["model"]
    assert waiting["change"]["serves"] == before["model"]
    assert any("answers until then" in one["what"] for one in full.lane("doctor", "--json").data)
    assert "answers now" in full.lane("tick").out
    after = full.lane("status", "--json").document["meta"]["meaning"]
    assert (after["model"] != before["model"], after["change"]) == (True, None)


def test_a_model_that_cannot_be_had_is_said_by_the_tick_by_status_and_by_doctor(full: Person) -> None:
    full.lane("config", "set", "embed.model", "onnx")
    for command in ("tick", "status", "doctor"):
        said = full.lane(command).out
        assert "the model's folder is not set" in said, command
