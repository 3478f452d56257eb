"""A line that was kept and closed by the other side while nothing was asked."""

from __future__ import annotations

import socket
import threading

from memlane.errors import UnreachableError
from memlane.system.http_client import Asker, Endpoint

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
ASKER = Asker(UnreachableError, "server")


def test_it_is_opened_again_and_the_question_is_asked_once() -> None:
    heard, closed = list[bytes](), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            for _line in range(2):
                line, _address = listener.accept()
                with line:
                    heard.append(line.recv(1 << 16).split(b" ")[1])
                    line.sendall(ANSWER)
                closed.set()

        server = threading.Thread(target=serve, daemon=True)
        server.start()
        endpoint = Endpoint(f"http://127.0.0.1:{listener.getsockname()[1]}", ASKER)
        assert endpoint.once("/first", None, 5.0).body == b"hi"
        assert closed.wait(5)
        assert endpoint.once("/second", b"{}", 5.0).body == b"hi"
        endpoint.close()
        server.join(5)
    assert heard == [b"/first", b"/second"]
