"""A network that cuts, alters, repeats and delays, between a machine and its Central. One fault for each step."""

from __future__ import annotations

import random
import socket
import threading
import time
from contextlib import suppress

PIECE = 1 << 14
FAULTS = ("none", "cut request", "cut reply", "alter request", "alter reply", "slow", "twice", "late")


class FaultProxy:
    """`fault` holds for the connections that are opened from now on; `at` is the byte it strikes at.

    It draws from a chance of its own: its threads must not change what the next step draws.
    """

    def __init__(self, upstream: int, seed: int) -> None:
        self.upstream, self.fault, self.at = upstream, "none", 0
        self.struck = 0
        self._chance = random.Random(seed)
        self._kept = list[bytes]()  # requests of earlier steps, to be sent again
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                line, _address = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(line, self.fault, self.at), daemon=True).start()

    def _carry(self, line: socket.socket, fault: str, at: int) -> None:
        with line, suppress(OSError):
            if fault == "late" and self._kept:
                self._send_again(self._chance.choice(self._kept))
            with socket.create_connection(("127.0.0.1", self.upstream), 5) as central:
                request = bytearray()
                back = threading.Thread(target=self._back, args=(central, line, fault, at), daemon=True)
                back.start()
                self._pump(line, central, fault if "request" in fault or fault == "slow" else "none", at, request)
                back.join(10)
            if request:
                self._kept = [*self._kept[-20:], bytes(request)]
                if fault == "twice":
                    self._send_again(bytes(request))

    def _back(self, central: socket.socket, line: socket.socket, fault: str, at: int) -> None:
        with suppress(OSError):
            self._pump(central, line, fault if "reply" in fault else "none", at, None)
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    def _pump(self, source: socket.socket, target: socket.socket, fault: str, at: int, kept: bytearray | None) -> None:
        seen = 0
        while piece := source.recv(PIECE):
            end = seen + len(piece)
            if kept is not None:
                kept += piece
            if fault.startswith("cut") and seen <= at < end:
                self.struck += 1
                target.sendall(piece[: at - seen])
                for one in (source, target):
                    with suppress(OSError):
                        one.shutdown(socket.SHUT_RDWR)
                return
            if fault.startswith("alter") and seen <= at < end:
                self.struck += 1
                piece = piece[: at - seen] + bytes([piece[at - seen] ^ 0x15]) + piece[at - seen + 1 :]
            if fault == "slow":
                self.struck += 1
                time.sleep(0.01)
            target.sendall(piece)
            seen = end
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def _send_again(self, request: bytes) -> None:
        """A request that was sent before, as a whole, by nobody; its answers are dropped."""
        self.struck += 1
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.upstream), 5) as line:
            line.settimeout(2)
            line.sendall(request)
            line.shutdown(socket.SHUT_WR)
            while line.recv(PIECE):
                pass
