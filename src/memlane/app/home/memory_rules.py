"""Rules for every Memory that is made here: its length, its title, and how sure a person's yes makes it."""

from __future__ import annotations

SAID_YES = 80  # a person read it and said yes: more than the 60 that recall asks for
LONGEST_TITLE = 500
LONGEST_CONTENT = 8000
TITLE_WANTED = 120  # characters; a title of one's own may be longer


def title_of(words: str) -> str:
    """The first sentence, if it is short enough to be one."""
    line = " ".join(words.split())
    if len(line) <= TITLE_WANTED:
        return line
    cut = line[:TITLE_WANTED]
    for end in (". ", "; ", ", ", " "):
        if (at := cut.rfind(end)) > TITLE_WANTED // 2:
            return cut[:at].rstrip(".;,") + "…"
    return cut + "…"
