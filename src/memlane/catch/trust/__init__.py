"""Whose word is it? The lowest in the lineage of what was quoted and of where else its words come from."""

from memlane.catch.trust.lineage import may_be_active, trust_of

__all__ = ["may_be_active", "trust_of"]
