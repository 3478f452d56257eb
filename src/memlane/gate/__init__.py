"""Which bytes must never leave the archive? Secrets and `<private>` text, masked everywhere else."""

from memlane.gate.gate import Gate
from memlane.gate.mask import SecretFinding
from memlane.gate.personal import MARKED, PersonalData
from memlane.gate.sample import SecretSample

__all__ = ["MARKED", "Gate", "PersonalData", "SecretFinding", "SecretSample"]
