"""How does a person browse it? Pages rendered here, served by the daemon, opened by `lane ui`.

A page is a module in `pages/`, a template, and a line in `routes.py`; see `views.py` for what they hand each other.
"""

from memlane.surfaces.web.entrance import in_html
from memlane.surfaces.web.news import NewsStream
from memlane.surfaces.web.routes import table, twins

__all__ = ["NewsStream", "in_html", "table", "twins"]
