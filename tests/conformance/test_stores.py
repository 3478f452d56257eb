"""What every store of objects must do: a folder, a real object store, the Hub's own client."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memlane.domain import RunFilter
from memlane.errors import LaneError, NotAllowedError, UnreachableError, UsageError
from memlane.store import ObjectStore, opened, safe_name
from tests.clients.fake_hub import Hub, fake_hub
from tests.flow.test_sync import machine

Opener = Callable[[str], ObjectStore]
QUIET = {"HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_XET_HIGH_PERFORMANCE": "0"}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Generator[Hub, None, None]:
    with fake_hub() as made:
        for name, value in {**QUIET, "HF_HOME": str(tmp_path / "hf")}.items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture(params=["folder", "s3", "hub"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    match request.param:
        case "folder":
            return lambda part: opened(str(tmp_path / part), {})
        case "s3":
            variables = request.getfixturevalue("seaweed")
            return lambda part: opened(f"s3://lane/{tmp_path.name}/{part}", variables)
        case _:
            made: Hub = request.getfixturevalue("hub")
            return lambda part: opened(f"hf://buckets/me/traces/{part}", {"HF_ENDPOINT": made.url, "HF_TOKEN": "hf_x"})


def test_what_was_put_is_there_and_listed(store: Opener) -> None:
    at = store("a")
    assert list(at.objects("traces/")) == []
    at.put({"traces/desk/one.jsonl": b"first\n", "traces/desk/two.jsonl": b"x" * 200_000})
    assert at.get("traces/desk/one.jsonl") == b"first\n"
    assert at.get("traces/desk/two.jsonl") == b"x" * 200_000
    assert at.get("traces/desk/three.jsonl") is None
    assert {one.name: one.size for one in at.objects("traces/")} == {
        "traces/desk/one.jsonl": 6,
        "traces/desk/two.jsonl": 200_000,
    }


def test_other_bytes_are_another_version(store: Opener) -> None:
    at = store("a")
    at.put({"traces/desk/one.jsonl": b"first"})
    (before,) = at.objects("traces/")
    at.put({"traces/desk/one.jsonl": b"later"})
    (after,) = at.objects("traces/")
    assert at.get("traces/desk/one.jsonl") == b"later"
    assert before.version != after.version


def test_two_prefixes_do_not_meet(store: Opener) -> None:
    store("a").put({"traces/one.jsonl": b"a"})
    store("b").put({"traces/one.jsonl": b"b"})
    assert store("a").get("traces/one.jsonl") == b"a"
    assert [one.size for one in store("b").objects("traces/")] == [1]


@pytest.mark.parametrize("name", ["../up", "a/../../up", "/etc/passwd", "a//b", ".hidden/x", "a\nb", "", "ü"])
def test_a_name_never_leads_out(name: str, tmp_path: Path) -> None:
    assert not safe_name(name)
    with pytest.raises(UsageError):
        opened(str(tmp_path), {}).put({name: b"x"})


def test_a_folder_that_others_can_read_says_so(tmp_path: Path) -> None:
    assert opened(str(tmp_path / "new"), {}).private
    tmp_path.chmod(0o755)
    assert opened(str(tmp_path), {}).private is False


@pytest.mark.parametrize(("status", "error"), [(401, NotAllowedError), (403, NotAllowedError), (429, UnreachableError)])
def test_a_hub_that_refuses_is_named(hub: Hub, status: int, error: type[LaneError]) -> None:
    at = opened("hf://buckets/me/traces", {"HF_ENDPOINT": hub.url, "HF_TOKEN": "hf_secret"})
    hub.refuses = status
    with pytest.raises(error) as raised:
        _ = at.private
    assert raised.value.hint
    assert "hf_secret" not in raised.value.message


def test_a_store_that_is_not_there_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "very-secret")
    at = opened("s3://nowhere/x", {"AWS_ALLOW_HTTP": "true"})
    with pytest.raises(LaneError) as raised:
        at.put({"traces/one.jsonl": b"x"})
    assert "very-secret" not in raised.value.message
    assert "\n" not in raised.value.message


@pytest.mark.parametrize("status", [401, 403])
def test_a_store_whose_credentials_ended_says_so(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "very-secret")
    with refusing(status) as url:
        monkeypatch.setenv("AWS_ENDPOINT", url)
        at = opened("s3://lane/x", {"AWS_ALLOW_HTTP": "true"})
        for ask in (lambda: at.put({"traces/one.jsonl": b"x"}), lambda: at.get("one"), lambda: list(at.objects(""))):
            with pytest.raises(NotAllowedError, match="refuses these credentials") as raised:
                ask()
            assert "AWS_SESSION_TOKEN" in raised.value.hint


@contextmanager
def refusing(status: int) -> Generator[str, None, None]:
    """An S3 that has nothing but one answer."""

    class Refusal(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            said = b"<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>"
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def do_PUT(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Its requests are nobody's news."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("address", ["hf://buckets/me", "nonsense://x"])
def test_an_address_of_nothing_is_refused(address: str) -> None:
    with pytest.raises(UsageError):
        opened(address, {})


def test_two_machines_sync_through_an_object_store(seaweed: Mapping[str, str], tmp_path: Path) -> None:
    target = f"s3://lane/{tmp_path.name}"
    desk, laptop = (machine(tmp_path, name, f"the pier of {name}", **seaweed) for name in ("desk", "laptop"))
    assert len(desk.syncs.sync(target).sent) == 1
    assert len(laptop.syncs.sync(target).taken) == 1
    assert len(desk.syncs.sync(target).taken) == 1
    seen = [{run.id: (run.machine, run.turns) for run in one.runs.select(RunFilter())} for one in (desk, laptop)]
    assert seen[0] == seen[1]
    assert sorted(seen[0].values()) == [("desk", 1), ("laptop", 1)]
    again = desk.syncs.sync(target)
    assert (again.sent, again.taken, again.set_aside) == ([], [], [])
