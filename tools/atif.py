"""`python -m tools.atif FOLDER`: ask Harbor's own models whether they accept each trajectory of an export.

Harbor gets an environment of its own in a temporary folder. It asks for Python 3.12, but its models run with ours.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.ready import PYTHON

HARBOR, PYDANTIC = "harbor==0.25.0", "pydantic"  # its models need nothing else of what Harbor names
_ASK = """
import pathlib, sys
from harbor.models.trajectories import Trajectory
files = [f for f in sorted(pathlib.Path(sys.argv[1]).rglob("*.json")) if f.name != "manifest.json"]
wrong = 0
for file in files:
    try:
        Trajectory.model_validate_json(file.read_bytes())
    except ValueError as error:
        wrong += 1
        print(f"{file}: {error}")
print(f"{len(files) - wrong} accepted, {wrong} refused")
sys.exit(bool(wrong or not files))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.atif", description=__doc__)
    parser.add_argument("folder", type=Path, help="made by `lane export FOLDER --format atif`")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", scratch], check=True)
        python = Path(scratch) / "bin" / "python"
        pip = [PYTHON, "-m", "pip", "--python", python, "install", "--quiet"]
        subprocess.run([*pip, "--no-deps", "--ignore-requires-python", HARBOR], check=True)
        subprocess.run([*pip, PYDANTIC], check=True)
        return subprocess.run([python, "-c", _ASK, options.folder], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
