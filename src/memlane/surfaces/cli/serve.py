"""`lane serve`: the door of a Central."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen

EXAMPLES = """
lane serve                                         (http://127.0.0.1:8788, behind a proxy with TLS)
lane serve --all-in-one                            (a whole Central in one command)
lane serve --host 0.0.0.0 --cert c.pem --key k.pem (its own TLS)
"""
PORT = 8788
AGAIN = 5.0  # seconds until a worker that ended is started again


@frame.command(examples=EXAMPLES)
@click.option("--host", default="127.0.0.1", help="The address to listen at.")
@click.option("--port", default=PORT, type=click.IntRange(0, 65535), help="The port; 0: any that is free.")
@click.option(
    "--cert", "certificate", type=click.Path(path_type=Path), default=None, help="A certificate file, for TLS."
)
@click.option("--key", type=click.Path(path_type=Path), default=None, help="Its key.")
@click.option(
    "--plain", is_flag=True, help="Plain HTTP beyond this computer: a proxy or a private network protects it."
)
@click.option("--all-in-one", is_flag=True, help="Index here too: also run `lane work`.")
@click.option("--name", "names", multiple=True, help="A name it is reached by; others are refused.")
def command(screen: Screen, all_in_one: bool, **where: Any) -> None:
    """Run a Central: the server that your machines join. It goes on until it is stopped.

    It answers, and takes what machines send; `lane work` indexes that. With --all-in-one one command does both.
    """
    from memlane.surfaces.serve import Listening, serve

    def ready(url: str) -> None:
        if screen.json:
            screen.emit("lane.serve/1", {"url": url})
        else:
            screen.line(f"Central answers at {url}")
            screen.say("add a machine: lane machines invite")
        screen.flush()

    with _worker(screen) if all_in_one else nullcontext():
        serve(screen.config, Listening(**where), ready)


@contextmanager
def _worker(screen: Screen) -> Generator[None]:
    """In a process of its own, as long as we live: what it does never delays an answer."""
    child, over = list[subprocess.Popen[bytes]](), threading.Event()

    def keep_going() -> None:
        while not over.is_set():
            child[:] = [
                subprocess.Popen([sys.executable, "-P", "-m", "memlane", "work", "--wait"], stdin=subprocess.PIPE)
            ]
            code = child[0].wait()
            if not over.wait(AGAIN):
                screen.say(f"the worker ended ({code}); it is started again")

    threading.Thread(target=keep_going, daemon=True).start()
    try:
        yield
    finally:
        over.set()
        for one in child:
            one.terminate()
            one.wait()
