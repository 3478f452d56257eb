"""`python -m tests.acceptance.kills HOME N SEED`: kill the daemon N times while hooks ask, and count what they got.

One process imports everything once and forks the victims, so that a kill costs milliseconds. A hook here cannot start
a daemon of its own: the victim is the only one.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

from memlane.surfaces.daemon.__main__ import main as daemon
from tests.acceptance.hooks import NOTE, HookHome, HookProcess, until

AT_ONCE = 3


def born(hooked: HookHome) -> int:
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os._exit(daemon())
    assert until(lambda: hooked.holder() == pid and (hooked.run / "daemon.sock").exists())
    return pid


def killed(victim: int) -> None:
    os.kill(victim, signal.SIGKILL)
    os.waitpid(victim, 0)


def asked(hooked: HookHome, number: int) -> list[HookProcess]:
    return [hooked.calling(given=hooked.given("UserPromptSubmit", session=f"{number}-{n}")) for n in range(AT_ONCE)]


def main(home: Path, n: int, seed: int) -> None:
    """The daemon dies while hooks ask: each of them has its whole answer, from it or the next one, or nothing."""
    script = home / ".memlane" / "plugin" / "plugins" / "lane" / "bin" / "client.py"
    hooked, dice, found = HookHome(home, home / ".memlane", script), random.Random(seed), Counter[str]()
    import_module("memlane.surfaces.daemon.loop")
    victim = born(hooked)
    longest = max(hooked.ask(session=f"first {n}").seconds for n in range(5))
    for number in range(n):
        calls = asked(hooked, number)
        time.sleep(dice.uniform(0, longest))
        found["interrupted"] += any(call.process.poll() is None for call in calls)
        killed(victim)
        victim = born(hooked)
        for ended in [call.end() for call in calls]:
            whole = bool(ended.stdout) and NOTE in ended.context
            found["exit 0" if ended.exit_code == 0 else "other exit"] += 1
            found["answered" if whole else "silent" if not ended.stdout else "partial"] += 1
    killed(victim)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
