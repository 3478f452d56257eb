"""A Hugging Face Hub on loopback, as far as its client asks one for buckets: a tree, a batch, and Xet storage.

Files arrive as xorbs (chunks one after the other, each with a header of 8 bytes) and shards (which chunks of which
xorb make a file). It can be told to throttle, to refuse every token, or to hand out other bytes than it was given.
"""

from __future__ import annotations

import json
import re
import struct
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

ENTRY = 48  # bytes of one row of a shard
BOOKEND = b"\xff" * 32
VERIFIED, EXTENDED = 0x80000000, 0x40000000


@dataclass
class Hub:
    """What it holds, and how it misbehaves."""

    url: str = ""
    private: bool = True
    files: dict[str, str] = field(default_factory=dict)  # path → hash
    xorbs: dict[str, bytes] = field(default_factory=dict)
    made_of: dict[str, list[tuple[str, int, int, int]]] = field(default_factory=dict)  # hash → xorb, chunks, size
    refuses: int = 0  # a status that every request of the API gets
    allows: int = 0  # requests that are answered before it refuses
    lies: str = ""  # the hash of a file that is handed out instead of every other
    requests: int = 0

    def size(self, digest: str) -> int:
        return sum(term[3] for term in self.made_of[digest])

    def learn(self, shard: bytes) -> None:
        """A shard: a header, then for each file its hash and one row for each term."""
        at = ENTRY
        while shard[at : at + 32] != BOOKEND:
            digest, (flags, terms) = _hex(shard[at : at + 32]), struct.unpack("<II", shard[at + 32 : at + 40])
            rows = [shard[at + ENTRY * n : at + ENTRY * (n + 1)] for n in range(1, terms + 1)]
            self.made_of[digest] = [_term(row) for row in rows]
            at += ENTRY * (1 + terms + (terms if flags & VERIFIED else 0) + (1 if flags & EXTENDED else 0))


def _hex(raw: bytes) -> str:
    return "".join(f"{word:016x}" for word in struct.unpack("<4Q", raw))


def _term(row: bytes) -> tuple[str, int, int, int]:
    _flags, size, first, end = struct.unpack("<IIII", row[32:48])
    return _hex(row[:32]), first, end, size


def _offsets(xorb: bytes) -> list[int]:
    """Where each chunk begins: a version byte, then its packed length in three bytes."""
    found = [0]
    while found[-1] + 8 <= len(xorb) and xorb[found[-1]] == 0:
        found.append(found[-1] + 8 + int.from_bytes(xorb[found[-1] + 1 : found[-1] + 4], "little"))
    return found


class _Door(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_given: Any) -> None:
        return

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        whole = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def _answer(self, what: object, status: int = 200, **headers: str) -> None:
        data = what if isinstance(what, bytes) else json.dumps(what).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _go(self) -> None:
        body, path = self._body(), unquote(self.path.partition("?")[0])
        self.hub.requests += 1
        if self.hub.refuses and self.hub.requests > self.hub.allows and path.startswith("/api/"):
            return self._answer({"error": "no"}, self.hub.refuses, Retry_After="0")
        if found := re.fullmatch(r"/api/buckets/[^/]+/[^/]+(?:/(.*))?", path):
            return self._bucket(found[1] or "", body, path)
        if found := re.fullmatch(r"/buckets/([^/]+/[^/]+)/resolve/(.+)", path):
            return self._resolve(found[1], found[2])
        return self._storage(path, body)

    do_GET = do_POST = do_PUT = do_HEAD = _go  # noqa: N815 - what http.server calls

    def _bucket(self, what: str, body: bytes, path: str) -> None:
        hub, name = self.hub, "/".join(path.split("/")[3:5])
        if what.startswith("xet-"):
            return self._answer({"casUrl": hub.url, "accessToken": "xet", "exp": int(time.time()) + 3600})
        if what.startswith("tree"):
            prefix = what.partition("/")[2]
            return self._answer([_file(hub, path) for path in sorted(hub.files) if path.startswith(prefix)])
        if what == "paths-info":
            wanted = json.loads(body)["paths"]
            return self._answer([_file(hub, path) for path in wanted if path in hub.files])
        if what == "batch":
            for line in map(json.loads, body.splitlines()):
                hub.files[line["path"]] = line["xetHash"]
            return self._answer({"success": True, "failed": []})
        about = {"id": name, "private": hub.private, "createdAt": "2026-01-01T00:00:00.000Z", "size": 0}
        return self._answer({**about, "updatedAt": "2026-01-01T00:00:00.000Z", "totalFiles": len(hub.files)})

    def _resolve(self, bucket: str, path: str) -> None:
        """Not the bytes: where they are."""
        if path not in self.hub.files:
            return self._answer({"error": "not here"}, 404)
        digest = self.hub.lies or self.hub.files[path]
        told = {"X_Xet_Hash": digest, "X_Linked_Size": str(self.hub.size(digest)), "X_Linked_Etag": f'"{digest}"'}
        token = f"{self.hub.url}/api/buckets/{bucket}/xet-read-token"
        return self._answer(b"", 200, **told, Link=f'<{token}>; rel="xet-auth"')

    def _storage(self, path: str, body: bytes) -> None:
        hub, last = self.hub, path.rpartition("/")[2]
        if "/xorbs/" in path:
            hub.xorbs[last] = body
            return self._answer({"was_inserted": True})
        if path.startswith("/v1/shards"):
            hub.learn(body)
            return self._answer({"result": 1})
        if path.startswith("/v1/reconstructions/") and last in hub.made_of:
            return self._answer(self._made_of(last))
        if path.startswith("/xorb-data/"):
            return self._piece(hub.xorbs[last])
        return self._answer({"error": "not here"}, 404)

    def _made_of(self, digest: str) -> dict[str, object]:
        terms, fetch = [], dict[str, list[object]]()
        for xorb, first, end, size in self.hub.made_of[digest]:
            chunks, offsets = {"start": first, "end": end}, _offsets(self.hub.xorbs[xorb])
            terms.append({"hash": xorb, "unpacked_length": size, "range": chunks})
            bytes_ = {"start": offsets[first], "end": offsets[end] - 1}
            one = {"range": chunks, "url": f"{self.hub.url}/xorb-data/{xorb}", "url_range": bytes_}
            fetch.setdefault(xorb, []).append(one)
        return {"offset_into_first_range": 0, "terms": terms, "fetch_info": fetch}

    def _piece(self, xorb: bytes) -> None:
        asked = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("range") or "")
        if asked is None:
            return self._answer(xorb)
        first, last = int(asked[1]), int(asked[2] or len(xorb) - 1)
        part = xorb[first : last + 1]
        return self._answer(part, 206, content_range=f"bytes {first}-{first + len(part) - 1}/{len(xorb)}")


def _file(hub: Hub, path: str) -> dict[str, object]:
    digest = hub.lies or hub.files[path]
    return {"type": "file", "path": path, "size": hub.size(digest), "xetHash": digest, "mtime": "2026-01-01T00:00:00Z"}


@contextmanager
def fake_hub() -> Generator[Hub, None, None]:
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Door", (_Door,), {"hub": hub}))
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
