"""Who owns a Run, who is asking, what may they read, and which project is it?"""

from memlane.identity.project import ProjectLimits, checkout_of, from_remote, main_checkout, narrowed, project_of
from memlane.identity.shell import SET_BY, agent_in

__all__ = [
    "SET_BY",
    "ProjectLimits",
    "agent_in",
    "checkout_of",
    "from_remote",
    "main_checkout",
    "narrowed",
    "project_of",
]
