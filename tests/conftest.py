"""Fixtures every test may ask for: a home of its own, a fake model, and the real clients that talk to it."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from tests.clients.drive import ClaudeCode, Codex, Copilot, Gemini, OpenCode, Pi
from tests.clients.fake_model import FakeModel, fake_model
from tests.clients.object_store import in_environment, object_store
from tests.examples import examples
from tools.clients import CLIENTS, program

CLIENT_FIXTURES = frozenset({"claude", "codex", "copilot", "gemini", "opencode", "pi"})
# settings of whoever runs the tests
LEAKS = ("LANE_", "CLAUDE", "ANTHROPIC_", "CODEX_", "COPILOT_", "GEMINI_", "OPENAI_", "OPENCODE_", "PI_", "XDG_")

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more of them wait for each other, at full speed, on a busy machine
settings.register_profile("few", max_examples=examples(30), deadline=None)
settings.load_profile("few")
gc.disable()  # what is collected stays to the end


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that asks for a client is a client test."""
    for item in items:
        if CLIENT_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.client)


@dataclass(frozen=True, slots=True)
class LaneHome:
    """A person's home folder with nothing in it, and the folder Memory Lane will use there."""

    home: Path
    path: Path  # LANE_HOME; not made yet

    @property
    def variables(self) -> Mapping[str, str]:
        return {"HOME": str(self.home), "LANE_HOME": str(self.path)}


@pytest.fixture
def lane_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> LaneHome:
    """This test's own HOME and LANE_HOME, in the environment too. The path is short: a socket's may be 107 bytes."""
    home = tmp_path_factory.mktemp("h")
    for name in [name for name in os.environ if name.startswith(LEAKS) and name != "LANE_CLIENTS"]:
        monkeypatch.delenv(name)
    made = LaneHome(home, home / ".memlane")
    for name, value in made.variables.items():
        monkeypatch.setenv(name, value)
    return made


@pytest.fixture(scope="session")
def _seaweed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    with object_store(tmp_path_factory.mktemp("seaweed")) as variables:
        yield variables


@pytest.fixture
def seaweed(_seaweed: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """A real object store, with the variables that lead to it in the environment: `s3://lane/…`."""
    with in_environment(_seaweed):
        yield _seaweed


@pytest.fixture
def model() -> Iterator[FakeModel]:
    with fake_model() as running:
        yield running


def must_have(name: str) -> None:
    if program(CLIENTS[name]) is None:
        reason = f"{name} is not installed: python -m tools.clients {name}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def claude(lane_home: LaneHome, model: FakeModel) -> Callable[..., ClaudeCode]:
    """`claude()` or `claude(cwd="project", LANE_OFF="1")`: the real Claude Code, at home in `lane_home`."""
    must_have("claude")

    def make(cwd: str = "project", **variables: str) -> ClaudeCode:
        known = {**lane_home.variables, **variables}
        return ClaudeCode(lane_home.home, lane_home.home / cwd, model, known)

    return make


@pytest.fixture
def codex(lane_home: LaneHome, model: FakeModel) -> Callable[..., Codex]:
    """The real Codex, in the same way."""
    must_have("codex")

    def make(cwd: str = "project", **variables: str) -> Codex:
        known = {**lane_home.variables, **variables}
        return Codex(lane_home.home, lane_home.home / cwd, model, known)

    return make


@pytest.fixture
def copilot(lane_home: LaneHome, model: FakeModel) -> Callable[..., Copilot]:
    """The real Copilot CLI, in the same way."""
    must_have("copilot")

    def make(cwd: str = "project", **variables: str) -> Copilot:
        known = {**lane_home.variables, **variables}
        return Copilot(lane_home.home, lane_home.home / cwd, model, known)

    return make


@pytest.fixture
def pi(lane_home: LaneHome, model: FakeModel) -> Callable[..., Pi]:
    """The real Pi, in the same way."""
    must_have("pi")

    def make(cwd: str = "project", **variables: str) -> Pi:
        known = {**lane_home.variables, **variables}
        return Pi(lane_home.home, lane_home.home / cwd, model, known)

    return make


@pytest.fixture
def gemini(lane_home: LaneHome, model: FakeModel) -> Callable[..., Gemini]:
    """The real Gemini CLI, in the same way."""
    must_have("gemini")

    def make(cwd: str = "project", **variables: str) -> Gemini:
        known = {**lane_home.variables, **variables}
        return Gemini(lane_home.home, lane_home.home / cwd, model, known)

    return make


@pytest.fixture
def opencode(lane_home: LaneHome, model: FakeModel) -> Callable[..., OpenCode]:
    """The real OpenCode, in the same way."""
    must_have("opencode")

    def make(cwd: str = "project", **variables: str) -> OpenCode:
        known = {**lane_home.variables, **variables}
        return OpenCode(lane_home.home, lane_home.home / cwd, model, known)

    return make
