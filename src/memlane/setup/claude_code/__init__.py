"""How Claude Code is given our hooks and relieved of them: by its own program where there is one, else by its settings.

Its program writes settings.json anew in its own order; where nothing else changed, the person's own way of writing it
is put back afterwards.
"""

from memlane.setup.claude_code.places import NAME, TITLE, is_here, places, program
from memlane.setup.claude_code.putting_in import plan, put_in
from memlane.setup.claude_code.reading import cleanup_days, hooks_off, rivals, way_in
from memlane.setup.claude_code.taking_out import forget, plan_removal, take_out

__all__ = [
    "NAME",
    "TITLE",
    "cleanup_days",
    "forget",
    "hooks_off",
    "is_here",
    "places",
    "plan",
    "plan_removal",
    "program",
    "put_in",
    "rivals",
    "take_out",
    "way_in",
]
