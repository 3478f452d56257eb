"""Which file is a lesson about? The one whose change it quotes, or the one that was corrected, named or not."""

from __future__ import annotations

from dataclasses import replace

from memlane.domain import Author, Draft, Mention, Type, Window

MOST = 2  # changed in one go; of more, nobody can tell which was meant
FILE = "file"


def about_files(draft: Draft, window: Window) -> Draft:
    """With the files whose change it quotes; or those the agent changed since the person spoke before, if it was them
    who corrected it."""
    if not draft.quotes:
        return draft
    heart, changed = draft.quotes[0].spot, dict[str, None]()
    if (at := dict(window.steps()).get(heart)) is not None and at.call is not None and at.call.changes:
        return replace(draft, mentions=(*draft.mentions, *(Mention(FILE, path) for path in at.call.files[:MOST])))
    if draft.type is not Type.CORRECTION:
        return draft
    for spot, step in window.steps():
        if spot == heart:
            named = [Mention(FILE, path) for path in changed] if len(changed) <= MOST else []
            return replace(draft, mentions=(*draft.mentions, *named)) if step.author is Author.PERSON else draft
        if step.author is Author.PERSON:
            changed.clear()
        elif step.call is not None and step.call.changes and not step.call.error:
            changed |= dict.fromkeys(step.call.files)
    return draft
