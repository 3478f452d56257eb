"""`python -m tools.browser`: what the tests of the pages need: a Chromium, and axe-core, which finds barriers.

Chromium is the one at hand, else Debian's package where we may install it. Nothing else is downloaded; but what
Playwright has downloaded for a person is used. axe-core comes from npm, by its sha512.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tools.clients import Client, ClientError, install, program

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "fonts-dejavu-core")
TIME_TO_INSTALL = 600  # seconds for 110 MB
TIME_TO_SAY = 60  # seconds, which version it is
SCRIPT = 20_000  # bytes; a browser is larger
ADVICE = """there is no Chromium here that the tests can use (a snap is shut in, and sees none of their files):
  sudo apt-get install chromium                                     on Debian
  sudo {python} -m playwright install-deps chromium && {python} -m playwright install chromium    elsewhere
  LANE_CHROMIUM=/path/to/chromium python3 -m tools.ready            one that you have"""
AXE = Client(
    name="axe",
    package="axe-core",
    version="4.14.0",
    sha512="9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==",
    program="axe.min.js",
)


@cache
def chromium() -> Path | None:
    """The one LANE_CHROMIUM names, else one on PATH, else Playwright's: the first that says which version it is."""
    named = os.environ.get("LANE_CHROMIUM")
    return next((place for place in ([Path(named)] if named else _places()) if _speaks(place)), None)


def _places() -> Iterator[Path]:
    found = (shutil.which(name) for name in NAMES)
    yield from (Path(place) for place in found if place and not _is_snap(Path(place)))
    kept = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    yield from sorted(Path(kept).glob("chromium-*/chrome-linux*/chrome"), reverse=True)


def _is_snap(place: Path) -> bool:
    """Ubuntu's package is a script that starts a snap, or says how to get one."""
    real = place.resolve()
    short = real.is_file() and real.stat().st_size < SCRIPT
    return real.is_relative_to("/snap") or real.name == "snap" or (short and b"/snap/" in real.read_bytes())


def _speaks(place: Path) -> bool:
    """Whether it starts at all: it may be for another machine, or miss a library."""
    try:
        said = subprocess.run([place, "--version"], capture_output=True, timeout=TIME_TO_SAY, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    return b"Chrom" in said


def axe() -> Path | None:
    return program(AXE)


def install_chromium() -> bool:
    """True if something was installed."""
    if chromium():
        return False
    if not os.environ.get("LANE_CHROMIUM") and shutil.which("apt-get") and os.geteuid() == 0:
        _by_apt()
        chromium.cache_clear()
    if chromium() is None:
        raise ClientError(ADVICE.format(python=sys.executable))
    return True


def _by_apt() -> None:
    """Where there is no such package, advice follows."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    patient = ["apt-get", "-o", "DPkg::Lock::Timeout=120", "-qq"]
    for words in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        subprocess.run([*patient, *words], env=quiet, check=False, timeout=TIME_TO_INSTALL, stdout=subprocess.DEVNULL)


def main() -> int:
    try:
        for name, fetched in (("chromium", install_chromium()), ("axe", install(AXE))):
            print(f"{name}: {'installed' if fetched else 'there'}", flush=True)
    except (ClientError, OSError, subprocess.SubprocessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
