"""What people and agents have said in a Run, as far as its context still holds it. It reads the index, never a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memlane.app.home import Home
from memlane.domain import Author, Query

LOOKED_AT = 200  # pieces of the Run's end: most are tool calls
SPOKEN = (Author.PERSON, Author.AGENT)


class RunWords:
    def __init__(self, home: Home) -> None:
        self._home = home

    def since(self, query: Query, began: datetime | None) -> Sequence[str]:
        """Oldest first, without the prompt itself. `began`: when the context did; what was said before is not in it."""
        if not query.run:
            return ()
        pieces = self._home.storage().chunks.last(query.run, self._home.reader, LOOKED_AT)
        spoken = (one for one in pieces if one.author in SPOKEN and not one.tool)
        return [one.text for one in spoken if began is None or one.at is None or one.at >= began]
