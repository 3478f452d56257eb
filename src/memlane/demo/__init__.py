"""What does a full home look like? Made-up sample runs of two agents, in those agents' own formats."""

from memlane.demo.home import SampleTranscript, write_home
from memlane.demo.runs import LOOKED_FOR, NOTE, RELATED, RUNS, UNRELATED, planted_secret
from memlane.demo.sample import PERSON, PROJECTS

__all__ = [
    "LOOKED_FOR",
    "NOTE",
    "PERSON",
    "PROJECTS",
    "RELATED",
    "RUNS",
    "UNRELATED",
    "SampleTranscript",
    "planted_secret",
    "write_home",
]
