"""What does a full home look like? Sample runs of two agents, written as those agents write them; no real person's."""

from memlane.demo.people import PERSON, PROJECTS
from memlane.demo.runs import RUNS, planted_secret
from memlane.demo.script import LOOKED_FOR, NOTE, RELATED, UNRELATED
from memlane.demo.write import Written, write_home

__all__ = [
    "LOOKED_FOR",
    "NOTE",
    "PERSON",
    "PROJECTS",
    "RELATED",
    "RUNS",
    "UNRELATED",
    "Written",
    "planted_secret",
    "write_home",
]
