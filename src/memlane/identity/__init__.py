"""Who owns a Run, who is asking, what may they read, and which project is it?"""

from memlane.identity.project import (
    ProjectLimits,
    checkout_of,
    from_remote,
    main_checkout,
    narrowed,
    project_of,
    without_worktree,
)

__all__ = [
    "ProjectLimits",
    "checkout_of",
    "from_remote",
    "main_checkout",
    "narrowed",
    "project_of",
    "without_worktree",
]
