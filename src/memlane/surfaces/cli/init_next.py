"""The last lines of `lane init`: what is known already, and what to type next; each of it will do something."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memlane.surfaces.cli.text import many, one_line

if TYPE_CHECKING:
    from memlane.app.setup.first_run import PromptSuggestion
    from memlane.surfaces.cli.frame import Screen
    from memlane.surfaces.cli.init_first import Begun


def remembered(begun: Begun) -> Iterator[str]:
    """What was found without a model, where from, and what waits for a yes."""
    yield from (f"      {text}" for text in _counted(begun))


def _counted(begun: Begun) -> Iterator[str]:
    known, own = begun.known, begun.noted.active if begun.noted else 0
    parts = [f"{begun.caught_active:,} caught"] if begun.caught_active else []
    parts += [f"{own:,} from {' and '.join(begun.noted.places)}"] if begun.noted and own else []
    new = ", ".join(parts)
    if not known.active:
        yield "no memories yet: nothing in these runs was plainly a correction or a fix"
    elif begun.caught_active + own == known.active:
        yield f"{many(known.active, 'memory', 'memories')} so far, without a model: {new}"
    else:
        yield f"{many(known.active, 'memory', 'memories')} so far{f', new: {new}' if new else ''}"
    if known.held:
        yield f"{known.held:,} more wait for your yes: lane mem review"
    if begun.unread:
        yield f"{many(begun.unread, 'older run')} still to be read, in the background: lane status"


def next_steps(screen: Screen, begun: Begun) -> Iterator[str]:
    yield "Next"
    yield '  lane search "something you remember"'
    if begun.suggestion is not None:
        yield from _to_ask(screen, begun.suggestion)
    else:
        yield '  lane remember "something your agents should know"'
    rows = [("lane mem review", f"{many(begun.known.held, 'note')} to say yes or no to")] if begun.known.held else []
    if begun.noted and begun.noted.left:
        rows.append(("lane mem import", f"{many(begun.noted.left, 'note')} in CLAUDE.md and the like of your projects"))
    rows.append(("lane catch setup", "find more with a model; says first what it costs"))
    rows.append(("lane status", "how it stands; it goes on by itself from here"))
    yield from (f"  {command:<18}{about}" for command, about in rows)


def _to_ask(screen: Screen, found: PromptSuggestion) -> Iterator[str]:
    """The prompt is whole, also on a narrow screen: it was tried as it stands here."""
    first = found.memories[0]
    others = len(found.memories) - 1
    yield f"  cd {shown(screen, found)} && claude"
    yield f"      then ask: {found.prompt}"
    more = f" and {others} more" if others else ""
    yield f'      (Lane will tell it: "{screen.cut(one_line(first.title), 90)}"{more})'


def shown(screen: Screen, found: PromptSuggestion) -> str:
    folder, home = found.folder, screen.config.person_home
    near = f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) and folder != home else str(folder)
    return f"'{near}'" if " " in near and not near.startswith("~") else near.replace(" ", "\\ ")
