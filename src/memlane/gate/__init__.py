"""Which bytes must never be kept outside the archive? Secrets and `<private>` words, masked at every other door."""

from memlane.gate.gate import Gate
from memlane.gate.mask import SecretFinding
from memlane.gate.sample import SecretSample

__all__ = ["Gate", "SecretFinding", "SecretSample"]
