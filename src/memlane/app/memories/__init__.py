"""What is remembered, and how does a person change it?"""

from __future__ import annotations

from memlane.app.memories.edits import ActEffect, ErasePlan, Memories
from memlane.app.memories.proposals import MemoryProposal
from memlane.app.memories.shelf import EvidenceView
from memlane.app.memories.spoken import AgentPlace

__all__ = ["ActEffect", "AgentPlace", "ErasePlan", "EvidenceView", "Memories", "MemoryProposal"]
