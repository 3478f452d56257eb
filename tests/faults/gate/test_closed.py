"""A gate whose engine is missing is closed."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT_ENGINE = """
import sys
sys.modules["re2"] = None
from memlane.errors import ClosedGateError
from memlane.gate import Gate
try:
    Gate()
except ClosedGateError as error:
    print(error.kind, error.hint)
"""


@pytest.mark.fault("H5")
def test_a_missing_engine_closes_the_gate() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_ENGINE], capture_output=True, text=True, check=True)
    assert done.stdout == "gate-closed pip install google-re2\n"
