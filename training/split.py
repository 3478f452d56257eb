"""Which side of the one fixed split a project is on. Validation is measured and never trained or tuned on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ONE_IN = 7  # written training projects that are kept from the gradient
HELD_OUT = frozenset({"entireio/auth-go", "iansherr/claude-code-log", "entireio/entire-graph"})  # real ones


class Side(StrEnum):
    """Fitting: gradients. Tuning: also training data, but only floors and choices come from it. Validation: figures."""

    FITTING = "fitting"
    TUNING = "tuning"
    VALIDATION = "validation"


@dataclass(frozen=True, slots=True)
class Split:
    """Validation projects by name; the others are divided by a hash of the name, so that it never moves."""

    validation: frozenset[str]

    @classmethod
    def load(cls, path: Path) -> Split:
        named = json.loads(path.read_text())["validation"]
        return cls(frozenset(named["repositories"]) | frozenset(named["written_projects"]))

    def side(self, project: str) -> Side:
        if project in self.validation:
            return Side.VALIDATION
        drawn = hashlib.sha256(project.encode()).digest()[0] % ONE_IN == 0
        return Side.TUNING if project in HELD_OUT or (drawn and "/" not in project) else Side.FITTING
