"""Which file is a correction about? The one that was changed just before, whether or not anybody names it."""

from __future__ import annotations

from dataclasses import replace

from memlane.domain import Author, Draft, Mention, Type, Window

MOST = 2  # changed in one go; of more, nobody can tell which was meant
FILE = "file"


def about_files(draft: Draft, window: Window) -> Draft:
    """With the files the agent changed since the person spoke before, if it was them who corrected it."""
    if draft.type is not Type.CORRECTION or not draft.quotes:
        return draft
    heart, changed = draft.quotes[0].spot, dict[str, None]()
    for spot, step in window.steps():
        if spot == heart:
            named = [Mention(FILE, path) for path in changed] if len(changed) <= MOST else []
            return replace(draft, mentions=(*draft.mentions, *named)) if step.author is Author.PERSON else draft
        if step.author is Author.PERSON:
            changed.clear()
        elif step.call is not None and step.call.changes and not step.call.error:
            changed |= dict.fromkeys(step.call.files)
    return draft
