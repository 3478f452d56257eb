"""`python -m tools.gate_rules`: `rules.json`, what the gate reads instead of working `rules.toml` out each time.

Run after every change of the rules; a test says so when it was forgotten, and until then the gate is only slower.
"""

from __future__ import annotations

from memlane.gate.rules import READY, ready, source

if __name__ == "__main__":
    READY.write_bytes(ready(source()))
