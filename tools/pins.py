"""`python -m tools.pins`: compile requirements/ from pyproject.toml and dev.in, as names, versions and hashes.

Extra words go to pip-compile (`--upgrade`, `--upgrade-package ruff`). It records no index and no host.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORM = (
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-emit-trusted-host",
    "--no-emit-find-links",
    "--strip-extras",
    "--allow-unsafe",  # pip and setuptools are pinned too: --require-hashes knows no exception
    "--no-header",
    "--newline=lf",
    "--quiet",
)


def compile_pins(source: str, target: str, words: Sequence[str]) -> None:
    """One file; what is already pinned stays pinned unless `words` say otherwise."""
    command = [sys.executable, "-m", "piptools", "compile", *FORM, *words, "-o", target, source]
    subprocess.run(command, cwd=ROOT, check=True)


def main(words: Sequence[str]) -> None:
    compile_pins("pyproject.toml", "requirements/runtime.txt", words)
    compile_pins("requirements/dev.in", "requirements/dev.txt", words)


if __name__ == "__main__":
    main(sys.argv[1:])
