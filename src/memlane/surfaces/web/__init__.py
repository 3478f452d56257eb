"""How does a person see it? Pages rendered here, served by the daemon, opened by `lane ui`.

A page is a module in `pages/`, a template, and a line in `routes.py`; see `views.py` for what they hand each other.
"""

from memlane.surfaces.web.live import Live
from memlane.surfaces.web.routes import table, twins
from memlane.surfaces.web.wrong import in_html

__all__ = ["Live", "in_html", "table", "twins"]
