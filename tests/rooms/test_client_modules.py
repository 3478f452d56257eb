"""A client that needs other packages beside it gets those that were pinned, and no others."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools.clients import CLIENTS, Client, ClientError, Module, folder, home, install, modules_of, program


def a_tarball(top: str, name: str, words: bytes) -> bytes:
    entry = tarfile.TarInfo(f"{top}/{name}")
    entry.size = len(words)
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        archive.addfile(entry, io.BytesIO(words))
    return made.getvalue()


def digest(tarball: bytes) -> str:
    return base64.b64encode(hashlib.sha512(tarball).digest()).decode()


AGENT = a_tarball("package", "cli.js", b"run")
FIRST = a_tarball("package", "index.js", b"first")
SECOND = a_tarball("second", "index.js", b"second")  # not every tarball calls its folder `package`


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """One with a list of two modules."""
    monkeypatch.setenv("LANE_CLIENTS", str(tmp_path / "clients"))
    monkeypatch.setattr("tools.clients.platform.system", lambda: "Linux")
    monkeypatch.setattr("tools.clients.platform.machine", lambda: "x86_64")
    monkeypatch.setattr("tools.clients.ROOT", tmp_path)
    (tmp_path / "tools").mkdir()
    listed = f"# two\n@scope/first 1.0.0 {digest(FIRST)}\n\nsecond 2.0.0 {digest(SECOND)}\n"
    (tmp_path / "tools" / "modules.txt").write_text(listed)
    return Client("agent", "@example/agent", "1.0.0", digest(AGENT), "cli.js", "modules.txt")


def fetch(_: Client, scratch: Path) -> Path:
    (scratch / "agent.tgz").write_bytes(AGENT)
    return scratch / "agent.tgz"


def serving(*tarballs: bytes):
    """A registry that answers with these, whatever it is asked for."""

    def fetch_modules(_: Sequence[Module], scratch: Path) -> list[Path]:
        paths = [scratch / f"{number}.tgz" for number in range(len(tarballs))]
        for path, tarball in zip(paths, tarballs, strict=True):
            path.write_bytes(tarball)
        return paths

    return fetch_modules


def test_modules_are_put_where_node_looks_for_them(client: Client) -> None:
    assert install(client, fetch, serving(SECOND, FIRST))
    modules = folder(client) / "node_modules"
    assert (modules / "@scope" / "first" / "index.js").read_bytes() == b"first"
    assert (modules / "second" / "index.js").read_bytes() == b"second"


def test_a_module_that_is_not_the_pinned_one_leaves_nothing(client: Client) -> None:
    with pytest.raises(ClientError, match=r"second@2\.0\.0 is not what was pinned"):
        install(client, fetch, serving(FIRST, a_tarball("package", "index.js", b"other")))
    assert program(client) is None
    assert [path.name for path in home().iterdir()] == [".lock"]


def test_a_package_nobody_asked_for_is_not_unpacked(client: Client) -> None:
    install(client, fetch, serving(FIRST, SECOND, a_tarball("package", "evil.js", b"evil")))
    assert list(folder(client).rglob("evil.js")) == []


def test_every_list_that_is_named_is_there_and_whole() -> None:
    for known in CLIENTS.values():
        for module in modules_of(known):
            assert len(base64.b64decode(module.sha512)) == hashlib.sha512().digest_size
    assert len(modules_of(CLIENTS["pi"])) == 28
