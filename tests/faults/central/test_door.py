"""Central's door against who means harm: strangers without a token, and a member with one. A real `lane serve`."""

from __future__ import annotations

import json
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
import zstandard

from memlane.archive import Part, ShipFrame
from memlane.archive.frame import LARGEST_BODY, FrameHead, frame, packed
from memlane.surfaces.api.rules import Check
from memlane.surfaces.serve.patience import AT_ONCE
from memlane.surfaces.serve.process import table
from tests.acceptance.central import Central, serving

FRAMES = "application/vnd.memlane.frames"


@pytest.fixture(scope="module")
def central(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Central]:
    with serving(tmp_path_factory.mktemp("central")) as one:
        yield one


@dataclass(frozen=True)
class Member:
    """Somebody with a token and the source code."""

    central: Central
    token: str
    machine: str

    def ask(self, path: str, body: bytes | None = None, content: str = "application/json") -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": content}
        return ask(self.central, path, body, headers)


def ask(central: Central, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(urllib.request.Request(central.url + path, body, headers), timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def member(central: Central, name: str, computer: str = "c") -> Member:
    fields = {"code": central.invite(name), "user": name, "machine": f"tower-of-{name}", "computer": computer}
    status, said = ask(central, "/api/join", json.dumps(fields).encode(), {"Content-Type": "application/json"})
    assert status == 201, said
    data = json.loads(said)["data"]
    return Member(central, data["token"], data["machine"]["id"])


@pytest.fixture(scope="module")
def eve(central: Central) -> Member:
    return member(central, "eve")


@pytest.fixture(scope="module")
def noor(central: Central) -> Member:
    return member(central, "noor")


def opened(central: Central) -> socket.socket:
    parts = urlsplit(central.url)
    return socket.create_connection((parts.hostname, parts.port), timeout=60)


@pytest.mark.fault("K12")
def test_wrong_codes_are_slowed_down_and_a_right_one_from_the_same_address_opens(central: Central) -> None:
    wrong = {"code": "abcd-efgh-jkmn-pqrs", "user": "x", "machine": "x"}
    headers = {"Content-Type": "application/json"}
    answers = [ask(central, "/api/join", json.dumps(wrong).encode(), headers)[0] for _try in range(16)]
    assert (answers[0], answers[-1]) == (403, 429)
    assert member(central, "mara").token


@pytest.mark.fault("K12")
def test_what_is_anothers_answers_like_what_is_not_there(eve: Member, noor: Member) -> None:
    theirs, nothing = (
        eve.ask("/api/machines/revoke", json.dumps({"machine": one}).encode())
        for one in (noor.machine, "k_aaaaaaaaaaaaa")
    )
    assert theirs[0] == nothing[0] == 404
    assert theirs[1].replace(noor.machine.encode(), b"") == nothing[1].replace(b"k_aaaaaaaaaaaaa", b"")


@pytest.mark.fault("K4")
def test_no_field_of_a_request_says_whose_it_is(eve: Member) -> None:
    """Each is refused, whatever else the request asks for."""
    for route in (one for one in table() if one.takes is not None and Check.FRAMES not in one.rule.checks):
        path = route.path.replace("{run}", "r_aaaaaaaaaaaaa").replace("{memory}", "m_aaaaaaaaaaaaa")
        path = path.replace("{agent}", "codex").replace("{event}", "Stop")
        for field in ("owner", "user_id", "reader", "tenant"):
            query, body = (
                (f"?{field}=noor", None) if route.method == "GET" else ("", json.dumps({field: "noor"}).encode())
            )
            status, said = eve.ask(path + query, body)
            assert (status, field in said.decode()) == (400, True), (route.path, said)
            time.sleep(0.05)  # or she asks too often


def test_a_filter_that_is_none_is_refused_in_words(eve: Member) -> None:
    for which in ({"only": 7}, {"limit": "all"}, {"since": "never"}, {"since": "0001-01-01T00:00:00"}, []):
        for path, more in (("/api/views/runs", {}), ("/api/views/search", {"query": "x"})):
            status, said = eve.ask(path, json.dumps({"which": which, **more}).encode())
            assert (status, b"which" in said) == (400, True), (which, said)


ADMINS = {
    "/api/people/invite": {"person": "zed"},
    "/api/people/link": {"person": "noor", "subject": "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"},
    "/api/people/unlink": {"subject": "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"},
    "/api/people/role": {"person": "eve", "role": "admin"},
    "/api/people/limit": {"person": "noor", "machines": 1},
    "/api/groups/add": {"group": "all", "people": ["eve"]},
    "/api/groups/remove": {"group": "all"},
    "/api/policy": {"never": [], "sharing": "nobody", "mask": False},
    "/api/holds": {"kind": "person", "what": "noor", "why": "me"},
    "/api/holds/release": {"hold": "h_aaaa"},
    "/api/retention": {"days": 1},
    "/api/retention/plan": {"days": 1},
    "/api/retention/end": {"rule": "t_aaaa"},
}
EVERYBODYS = {  # about one's own machines and shares
    *("/api/machines/invite", "/api/machines/revoke", "/api/machines/rename"),
    *("/api/shares", "/api/shares/revoke", "/api/shares/receipt"),
}


@pytest.mark.fault("K10")
def test_what_only_admins_may_is_refused_to_a_member(eve: Member, noor: Member) -> None:
    assert noor.token
    changing = {one.path for one in table() if one.own and one.method == "POST" and Check.TOKEN in one.rule.checks}
    assert changing == ADMINS.keys() | EVERYBODYS
    for path, fields in ADMINS.items():
        status, said = eve.ask(path, json.dumps(fields).encode())
        assert (status, b"only an admin" in said) == (403, True), (path, said)
    for path in ("/api/holds", "/api/people/insight"):
        assert eve.ask(path)[0] == 403, path


@pytest.mark.fault("K10")
def test_an_admin_is_let_in_as_nobody_who_keeps_something_here(central: Central, noor: Member) -> None:
    """Neither by a code nor by an account: only whoever works on Central's own computer can do that."""
    boss = member(central, "boss")
    assert central.person.lane("people", "role", "boss", "admin").code == 0
    for person in ("noor", "operator"):
        for path, more in (("/api/people/invite", {}), ("/api/people/link", {"subject": "did:web:boss.example"})):
            status, said = boss.ask(path, json.dumps({"person": person, **more}).encode())
            assert (status, b"was here before" in said) == (403, True), said
    assert noor.ask("/api/machines")[0] == 200
    assert boss.ask("/api/people/invite", json.dumps({"person": "zoe"}).encode())[0] == 201


@pytest.mark.parametrize(
    "body",
    [
        zstandard.ZstdCompressor().compress(bytes(LARGEST_BODY + 1)),  # says its size, and it is too much
        zstandard.ZstdCompressor(write_content_size=False).compress(bytes(LARGEST_BODY)),  # does not say it
        zstandard.ZstdCompressor().compress(b"\xff\xff\xff\xff" + bytes(100)),  # a head of 4 GiB
        b"\x28\xb5\x2f\xfd" + b"\xff" * 100,
        b"",
    ],
    ids=["large", "unsaid", "head", "noise", "nothing"],
)
def test_a_body_that_would_unpack_to_more_than_anybody_sends_is_not_unpacked(eve: Member, body: bytes) -> None:
    status, said = eve.ask("/api/ship", body, FRAMES)
    assert (status, b"Traceback" in said) == (400, False)


NAMES = (
    "../../../evil",
    "/tmp/evil",
    "..",
    "a/../../evil",
    "evil\x00.jsonl",
    "2026-11/../../evil.jsonl",
    ".hidden",
    "",
)


@pytest.mark.fault("J5")
@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_a_frame_never_leaves_its_owners_folder(eve: Member, name: str) -> None:
    """Neither in a folder nor in an object store: keys are made of the same parts."""
    before = _files(eve.central)
    frames: list[ShipFrame] = [
        frame(FrameHead(Part.JOURNAL, name=name), b"{}\n"),
        frame(FrameHead(Part.RAW, run=name, n=1, metadata="{}"), b"x"),
        frame(FrameHead(Part.SIDE, run=name, n=1, name=name, total=1, metadata="{}"), b"x"),
    ]
    status, said = eve.ask("/api/ship", packed(frames), FRAMES)
    assert status == 200, said
    answers = {one["answer"] for one in msgspec.json.decode(said)["data"]}
    assert answers <= {"refused", "damaged"}
    assert _files(eve.central) == before


def _files(central: Central) -> set[Path]:
    """What runs and journals are there, and what lies where none should."""
    base = central.person.lane_home / "archive"
    return {path for path in base.rglob("*") if path.is_file() and "%2b" not in str(path)} | set(
        base.parent.glob("*evil*")
    )


@pytest.mark.fault("J7")
@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked",
        b"Content-Length: 5\r\nContent-Length: 50",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        b"Content-Length: +5",
        b"X: " + b"a" * 200_000,
    ],
    ids=["both", "twice", "two-codings", "sign", "endless"],
)
def test_two_servers_could_not_read_a_request_differently(central: Central, head: bytes) -> None:
    behind = b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n"
    with opened(central) as line:
        line.sendall(b"POST /api/join HTTP/1.1\r\nHost: h\r\n" + head + b"\r\n\r\n0\r\n\r\n" + behind)
        line.shutdown(socket.SHUT_WR)
        said = b""
        try:
            while piece := line.recv(65536):
                said += piece
        except ConnectionResetError:
            pass
    assert b" 200 " not in said


JOIN = b"POST /api/join HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\nContent-Type: application/json\r\n\r\n{"


@pytest.mark.fault("B4")
@pytest.mark.parametrize("said", [b"", JOIN], ids=["silent", "half"])
def test_more_lines_than_there_is_room_for_hold_up_nobody(central: Central, eve: Member, said: bytes) -> None:
    """The longest waiting makes room; it is a stranger's, who has nothing to say."""
    slow = list[socket.socket]()
    try:
        for _one in range(AT_ONCE + 8):
            slow.append(opened(central))
            slow[-1].sendall(said)
        assert eve.ask("/api/machines")[0] == 200
        assert slow[0].recv(65536) == b""
    finally:
        for line in slow:
            line.close()


def test_requests_are_not_collected_before_the_first_answer_is_read(central: Central) -> None:
    with opened(central) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n" * 2000)
        said = b""
        with suppress(ConnectionResetError):
            while piece := line.recv(65536):
                said += piece
    assert said.count(b" 200 ") < 100


SHIP = b"POST /api/ship HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n"


@pytest.mark.fault("B4")
def test_a_line_on_which_no_request_comes_is_closed(central: Central) -> None:
    """Silent, with half a head, with the rest of what was refused, with nothing but an end of line."""
    silent, half, refused, idle = (opened(central) for _line in range(4))
    half.sendall(b"POST /api/join HTTP/1.1\r\nHost: h\r\nX: ")
    for line, asked, rest in ((refused, SHIP, b"x"), (idle, b"GET /health HTTP/1.1\r\nHost: h\r\n\r\n", b"\r\n")):
        line.sendall(asked)
        assert line.recv(65536).startswith(b"HTTP/1.1 ")
        line.sendall(rest)
    for line in (silent, half, refused, idle):
        with line:
            while line.recv(65536):  # a timeout of the socket would raise
                pass


@pytest.mark.parametrize("pieces", [(b"a" * 12_000,) * 3, (b"a\r\nX: " * 4000,)])
def test_a_head_ends_before_it_is_large(central: Central, pieces: Sequence[bytes]) -> None:
    """Refused as it comes, or once it is whole: that is up to the network."""
    with opened(central) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nHost: h\r\nX: ")
        for piece in pieces:
            line.sendall(piece)
            time.sleep(0.05)  # each arrives by itself
        with suppress(OSError):
            line.sendall(b"\r\n\r\n" if len(pieces) == 1 else b"a")
        assert line.recv(65536).split()[1] in (b"400", b"431")


def test_no_secret_is_in_a_log_or_a_file(tmp_path: Path) -> None:
    """Tokens, codes, and what came instead of one."""
    with serving(tmp_path / "central") as central:
        code = central.invite("noor")
        fields = {"code": code, "user": "noor", "machine": "tower"}
        _, said = ask(central, "/api/join", json.dumps(fields).encode(), {"Content-Type": "application/json"})
        token = json.loads(said)["data"]["token"]
        for sent in (token, token[:-1] + "x", "hunter2-hunter2"):
            ask(central, "/api/machines", None, {"Authorization": f"Bearer {sent}"})
            ask(central, "/api/sign-in", json.dumps({"atproto": sent}).encode(), {"Content-Type": "application/json"})
        central.server.terminate()
        _, log = central.server.communicate(timeout=60)
        kept = b"".join(path.read_bytes() for path in (tmp_path / "central").rglob("*") if path.is_file())
    for secret in (code, token, token[:-1], "hunter2"):
        assert secret.encode() not in (log or b"") + kept
