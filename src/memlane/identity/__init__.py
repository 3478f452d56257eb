"""Who owns a Run, who is asking, what may they read, and which project is it?"""

from memlane.identity.kinship import JoinProposal, Kinships, ProjectFacts, kinships
from memlane.identity.project import (
    ProjectLimits,
    at_path,
    checkout_of,
    from_remote,
    is_named,
    is_path,
    main_checkout,
    narrowed,
    project_of,
    root_of,
    without_worktree,
    without_worktrees,
    worktrees_of,
)

__all__ = [
    "JoinProposal",
    "Kinships",
    "ProjectFacts",
    "ProjectLimits",
    "at_path",
    "checkout_of",
    "from_remote",
    "is_named",
    "is_path",
    "kinships",
    "main_checkout",
    "narrowed",
    "project_of",
    "root_of",
    "without_worktree",
    "without_worktrees",
    "worktrees_of",
]
