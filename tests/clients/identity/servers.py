"""Real servers that people sign in at, on loopback: a PDS with its PLC directory, and an OIDC provider."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import secrets
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.object_store import free_ports
from tools.clients import CLIENTS, folder, node, program

HERE = Path(__file__).parent
TRIES = 3  # a server that dies while it starts is started again
START = 60.0  # seconds


class NodeServer:
    """One of the scripts beside this file; it ends with us, however we end."""

    def __init__(self, script: str, client: str, *given: str) -> None:
        self._command = [str(node()), "--no-warnings", str(HERE / script), str(folder(CLIENTS[client])), *given]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        for _try in range(TRIES):
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_plain(), start_new_session=True
            )
            if self._is_ready(self._process):
                return
            self.stop()
        raise AssertionError(f"{self._command[2:]} did not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._process = None

    def _is_ready(self, process: subprocess.Popen[bytes]) -> bool:
        """Its log lines go past; they are read to the end, so that it never waits for us."""
        ready, over = threading.Event(), threading.Event()

        def read() -> None:
            assert process.stdout is not None
            with suppress(ValueError):
                for line in process.stdout:
                    if line.strip() == b"ready":
                        ready.set()
                        over.set()
            over.set()

        threading.Thread(target=read, daemon=True).start()
        over.wait(START)
        return ready.is_set()


def _plain() -> Mapping[str, str]:
    return {"PATH": os.environ["PATH"], "NODE_ENV": "production", "LOG_ENABLED": "false"}


def must_have(name: str) -> None:
    if program(CLIENTS[name]) is None:
        reason = f"{name} is not installed: python -m tools.clients {name}"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)


# -- AT Protocol ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AtAccount:
    did: str
    handle: str
    app_password: str
    token: str  # of the person's own session


@dataclass
class Pds:
    url: str
    plc: str
    key: str
    server: NodeServer

    def call(self, method: str, body: object = None, token: str = "") -> Mapping[str, str]:
        """One XRPC procedure."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        asked = urllib.request.Request(f"{self.url}/xrpc/{method}", json.dumps(body or {}).encode(), headers)
        with urllib.request.urlopen(asked, timeout=START) as answer:
            said = answer.read()
        return json.loads(said) if said else {}

    def account(self, handle: str) -> AtAccount:
        """A person with one app password."""
        made = self.call(
            "com.atproto.server.createAccount",
            {"handle": handle, "email": f"{handle}@example.org", "password": secrets.token_hex(8)},
        )
        app = self.call("com.atproto.server.createAppPassword", {"name": "lane"}, made["accessJwt"])
        return AtAccount(made["did"], handle, app["password"], made["accessJwt"])

    def move(self, did: str, url: str) -> None:
        """The account is somewhere else from now on, under another key."""
        script = [str(node()), "--no-warnings", str(HERE / "pds.mjs"), str(folder(CLIENTS["pds"])), "move"]
        subprocess.run([*script, self.plc, did, self.key, url], check=True, capture_output=True, timeout=START)


@contextmanager
def pds(data: Path) -> Generator[Pds]:
    must_have("pds")
    plc_port, pds_port = free_ports(2)
    plc, url, key = f"http://localhost:{plc_port}", f"http://localhost:{pds_port}", secrets.token_hex(32)
    directory = NodeServer("pds.mjs", "pds", "plc", str(plc_port))
    server = NodeServer("pds.mjs", "pds", "pds", str(pds_port), plc, str(data), key)
    try:
        directory.start()
        server.start()
        yield Pds(url, plc, key, server)
    finally:
        server.stop()
        directory.stop()


# -- OpenID Connect ------------------------------------------------------------------------------------------------


@dataclass
class Provider:
    issuer: str
    server: NodeServer

    def rotate(self) -> None:
        """New keys, as after a restart that lost them."""
        self.server.stop()
        self.server.start()

    def approve(self, page: str, user: str) -> None:
        """What a person does in a browser: confirm the code, sign in, consent."""
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        with browser.open(page, timeout=START) as answer:
            address, text = answer.url, answer.read().decode()
        for _form in range(6):
            if (form := _form_in(text)) is None:
                return
            action, fields = form
            fields |= {name: user if name == "login" else "secret" for name in ("login", "password") if name in text}
            body = urllib.parse.urlencode(fields).encode()
            with browser.open(urllib.parse.urljoin(address, action), body, timeout=START) as answer:
                address, text = answer.url, answer.read().decode()


def _form_in(page: str) -> tuple[str, dict[str, str]] | None:
    found = re.search(r'<form[^>]*action="([^"]*)"[^>]*>(.*?)</form>', page, re.DOTALL)
    if found is None:
        return None
    fields = dict[str, str]()
    for tag in re.findall(r"<input[^>]*>", found[2]):
        name, value = re.search(r'name="([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        if name is not None:
            fields[name[1]] = value[1] if value else ""
    return found[1], fields


@contextmanager
def oidc(people: Mapping[str, Sequence[str]]) -> Generator[Provider]:
    must_have("oidc")
    (port,) = free_ports(1)
    server = NodeServer("oidc.mjs", "oidc", str(port), json.dumps(people))
    try:
        server.start()
        yield Provider(f"http://127.0.0.1:{port}", server)
    finally:
        server.stop()
