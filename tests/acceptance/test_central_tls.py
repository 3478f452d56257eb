"""A Central with a certificate of its own, and one that is told to stop while a machine is sending."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.acceptance.central import Central, machine, serving

COMMAND = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
NAMED = ["-subj", "/CN=overlook", "-addext", "subjectAltName=IP:127.0.0.1"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Of nobody that a computer trusts by itself, as at home and in many companies."""
    folder = tmp_path_factory.mktemp("certificate")
    files = str(folder / "cert.pem"), str(folder / "key.pem")
    made = subprocess.run([*COMMAND, *NAMED, "-out", files[0], "-keyout", files[1]], capture_output=True, check=False)
    assert made.returncode == 0, made.stderr
    return files


@pytest.mark.fault("B9")
def test_a_machine_joins_and_sends_by_tls_and_only_whom_it_trusts(certificate: tuple[str, str], tmp_path: Path) -> None:
    file, key = certificate
    with serving(tmp_path / "central", "--cert", file, "--key", key) as central:
        assert central.url.startswith("https://127.0.0.1:")
        trusting = machine(tmp_path / "desk", "desk", variables={"SSL_CERT_FILE": file})
        code = central.invite("noor")
        stranger = machine(tmp_path / "laptop", "laptop", variables={"SSL_CERT_FILE": ""})
        refused = stranger.lane("join", central.url, "--code", code, "--json")
        assert (refused.code, "certificate" in refused.error["message"]) == (5, True)
        assert "SSL_CERT_FILE" in refused.error["hint"]
        assert trusting.lane("join", central.url, "--code", code).code == 0, "the code is still good"
        trusting.claude_run("one", "the lighthouse is painted in May")
        trusting.lane("capture")
        assert len(trusting.lane("ship", "--now", "--json").data["runs"]) == 1


def test_what_is_being_asked_when_it_is_told_to_stop_is_still_answered(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as central:
        desk = machine(tmp_path / "desk", "desk")
        assert desk.lane("join", central.url, "--code", central.invite("noor")).code == 0
        line, rest = half_of_a_question(central, json.loads((desk.lane_home / "central.json").read_bytes())["token"])
        central.server.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            central.server.wait(1.0)
        line.send(rest)
        answer = line.getresponse()
        assert (answer.status, json.loads(answer.read())["data"]) == (200, [])
        line.close()
        assert central.server.wait(15) == 0
        with pytest.raises(ConnectionRefusedError):
            http.client.HTTPConnection(line.host, line.port, timeout=5).request("GET", "/health")


def half_of_a_question(central: Central, token: str) -> tuple[http.client.HTTPConnection, bytes]:
    """Its head and the beginning of its body are sent; the rest is handed back."""
    host, _colon, port = central.url.removeprefix("http://").partition(":")
    line, body = http.client.HTTPConnection(host, int(port), timeout=20), b'{"which":{}}'
    line.putrequest("POST", "/api/views/runs")
    line.putheader("Authorization", f"Bearer {token}")
    line.putheader("Content-Type", "application/json")
    line.putheader("Content-Length", str(len(body)))
    line.endheaders(body[:5])
    return line, body[5:]
