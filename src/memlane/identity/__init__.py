"""Who owns, who asks, who may, and which project is it?"""

from memlane.identity.project import Narrowed, from_remote, narrowed, project_of

__all__ = ["Narrowed", "from_remote", "narrowed", "project_of"]
