"""What is typed in the demo, besides the runs themselves."""

from __future__ import annotations

LOOKED_FOR = "connection refused after deploy"
NOTE = "A new package must also be added to the COPY list in the Dockerfile, or the worker stops with ENOENT."
RELATED = "the worker crashloops since I added the invoices package, please fix it"
UNRELATED = "translate the harbour names on the landing page into German"
