"""`python -m tools.browser`: what the tests of the pages need: Debian's Chromium, and axe-core, which finds barriers.

Chromium comes from the system's packages, as nothing else may be fetched here; axe-core from npm, by its sha512.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.clients import Client, ClientError, install, program

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = ("chromium", "fonts-dejavu-core")
TIME_TO_INSTALL = 600  # seconds for 110 MB
AXE = Client(
    name="axe",
    package="axe-core",
    version="4.14.0",
    sha512="9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==",
    program="axe.min.js",
)


def chromium() -> Path | None:
    """The one LANE_CHROMIUM names, else one on PATH."""
    named = os.environ.get("LANE_CHROMIUM")
    found = named or next((place for name in NAMES if (place := shutil.which(name))), None)
    return Path(found) if found else None


def axe() -> Path | None:
    return program(AXE)


def install_chromium() -> bool:
    """True if something was installed."""
    if chromium():
        return False
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise ClientError("there is no Chromium here: install it, or name one in LANE_CHROMIUM")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *PACKAGES]):
        subprocess.run(["apt-get", *words], env=quiet, check=True, timeout=TIME_TO_INSTALL, stdout=subprocess.DEVNULL)
    return True


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
