"""What each key does: a view and a key in, the next view out. It draws nothing and looks nothing up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memlane.surfaces.cli.picker.view import CYCLES, FILTERS, Field, Focus, PickerView

KEYS: Sequence[tuple[str, str]] = (
    ("type", "search while you type"),
    ("Up Down, Ctrl+P Ctrl+N", "choose a hit"),
    ("PageUp PageDown", "a screenful of hits"),
    ("Enter", "open the run at that turn, in your pager"),
    ("Right", "go to the preview (at the end of the line); Left or Esc comes back"),
    ("Shift+Up Shift+Down", "scroll the preview from the list"),
    ("/", "find in the preview (Ctrl+O while typing); n and N for next and previous"),
    ("Ctrl+S", "search by: both, words, meaning"),
    ("Ctrl+R", "search in: everything, this project, this machine"),
    ("Ctrl+T", "order: best first, newest first"),
    ("Ctrl+F", "filters: Up Down to choose, type a value, Enter to come back"),
    ("Tab", "copy the address, where the terminal allows it"),
    ("Ctrl+U, Ctrl+W", "clear the line, the previous word"),
    ("Ctrl+L", "redraw"),
    ("?, F1", "this help (F1 while typing)"),
    ("Esc", "quit and print the search as a command"),
    ("Ctrl+C", "quit and print nothing"),
)


@dataclass(frozen=True, slots=True)
class ViewBounds:
    """What the view stands in: how many hits, how tall the panes, what the preview reads."""

    hits: int = 0
    hits_shown: int = 1
    preview: Sequence[str] = ()
    preview_rows: int = 1
    machine: str = ""


def pressed(view: PickerView, key: str, around: ViewBounds) -> PickerView:
    view = replace(view, note="")
    if key in _ANYWHERE and not (key == "<ctrl-s>" and view.focus is Focus.KEYS):
        return _ANYWHERE[key](view, around)
    return _FOCUSED[view.focus](view, key, around)


# -- anywhere ----------------------------------------------------------------------------------------------------------


def _cycled(view: PickerView, name: str, step: int = 1) -> PickerView:
    values = CYCLES[name]
    now = values.index(view.filters[name]) if view.filters[name] in values else 0
    return _set(view, name, values[(now + step) % len(values)])


def _set(view: PickerView, name: str, value: str) -> PickerView:
    return replace(view, filters={**view.filters, name: value}, row=0, scroll=0)


def _scope(view: PickerView, around: ViewBounds) -> PickerView:
    """Everything → this project → this machine → everything."""
    project, machine = view.filters["project"], view.filters["machine"]
    if not project and not machine:
        return replace(_set(view, "project", "."), note="in this project")
    if project:
        view = replace(_set(view, "project", ""), note=f"on this machine, {around.machine}")
        return _set(view, "machine", around.machine)
    return replace(_set(view, "machine", ""), note="everywhere")


def _act(name: str) -> Callable[[PickerView, ViewBounds], PickerView]:
    return lambda view, _around: replace(view, act=name)


def _look_at(focus: Focus) -> Callable[[PickerView, ViewBounds], PickerView]:
    return lambda view, _around: replace(view, focus=focus, typing=False)


_ANYWHERE: Mapping[str, Callable[[PickerView, ViewBounds], PickerView]] = {
    "<ctrl-c>": _act("stop"),
    "<ctrl-l>": _act("redraw"),
    "<ctrl-z>": _act("suspend"),
    "<ctrl-s>": lambda view, _around: _cycled(view, "mode"),
    "<ctrl-t>": lambda view, _around: _cycled(view, "sort"),
    "<ctrl-r>": _scope,
    "<ctrl-f>": _look_at(Focus.FILTERS),
    "<ctrl-o>": _look_at(Focus.FIND),
    "<f1>": _look_at(Focus.KEYS),
    "<tab>": _act("copy"),
    "<shift-up>": lambda view, around: _scrolled(view, -1, around),
    "<shift-down>": lambda view, around: _scrolled(view, 1, around),
}


# -- the question and its hits -----------------------------------------------------------------------------------------


def _in_hits(view: PickerView, key: str, around: ViewBounds) -> PickerView:
    steps = {"<up>": -1, "<down>": 1, "<ctrl-p>": -1, "<ctrl-n>": 1}
    steps |= {"<pageup>": -around.hits_shown, "<pagedown>": around.hits_shown}
    if key in steps:
        return _chosen(view, view.row + steps[key], around)
    if key in ("<esc>", "<enter>"):
        return replace(view, act="leave" if key == "<esc>" else "open")
    if key == "<ctrl-d>":
        return view if view.query.text else replace(view, act="leave")
    if key == "<right>" and view.query.at == len(view.query.text):
        return replace(view, focus=Focus.PREVIEW, typing=False)
    if key == "?" and not view.typing:
        return replace(view, focus=Focus.KEYS)
    if key == "/" and not view.typing and view.query.text and around.preview:
        return replace(view, focus=Focus.FIND, find=Field())
    return _typed(view, key)


def _typed(view: PickerView, key: str) -> PickerView:
    query = view.query.pressed(key)
    if query is None:
        return view
    if query.text == view.query.text:
        return replace(view, query=query)
    return replace(view, query=query, typing=bool(query.text), row=0, scroll=0, focus=Focus.HITS)


def _chosen(view: PickerView, row: int, around: ViewBounds) -> PickerView:
    row = max(0, min(row, around.hits - 1))
    return replace(view, row=row, typing=False, scroll=0 if row != view.row else view.scroll)


# -- filters -----------------------------------------------------------------------------------------------------------


def _in_filters(view: PickerView, key: str, _around: ViewBounds) -> PickerView:
    if key in ("<esc>", "<enter>"):
        return replace(view, focus=Focus.HITS)
    if key in ("<up>", "<down>", "<ctrl-p>", "<ctrl-n>"):
        step = -1 if key in ("<up>", "<ctrl-p>") else 1
        return replace(view, filter_row=(view.filter_row + step) % len(FILTERS))
    name = FILTERS[view.filter_row]
    if name in CYCLES:
        step = {" ": 1, "<right>": 1, "<left>": -1, "<backspace>": -1}.get(key, 0)
        return _cycled(view, name, step) if step else view
    edited = Field.holding(view.filters[name]).pressed(key)
    return view if edited is None or edited.text == view.filters[name] else _set(view, name, edited.text)


# -- the preview, finding in it, the keys ------------------------------------------------------------------------------


def _in_preview(view: PickerView, key: str, around: ViewBounds) -> PickerView:
    page = max(1, around.preview_rows - 1)
    steps = {"<up>": -1, "<down>": 1, "<pageup>": -page, "<pagedown>": page, " ": page}
    steps |= {"<home>": -len(around.preview), "<end>": len(around.preview)}
    if key in steps:
        return _scrolled(view, steps[key], around)
    if key in ("<esc>", "<left>"):
        return replace(view, focus=Focus.HITS)
    if key in ("<enter>", "?", "/"):
        return _in_hits(replace(view, typing=False), key, around) if key != "/" else _look_at(Focus.FIND)(view, around)
    if key in ("n", "N") and view.find.text:
        return _jumped(view, around, back=key == "N")
    return _typed(view, key)


def _scrolled(view: PickerView, by: int, around: ViewBounds) -> PickerView:
    last = max(0, len(around.preview) - around.preview_rows)
    return replace(view, scroll=max(0, min(view.scroll + by, last)))


def _in_find(view: PickerView, key: str, around: ViewBounds) -> PickerView:
    if key in ("<esc>", "<enter>"):
        found = Field() if key == "<esc>" else view.find
        return replace(view, find=found, focus=Focus.PREVIEW)
    if key in ("<up>", "<down>"):
        return _jumped(view, around, back=key == "<up>")
    find = view.find.pressed(key)
    return view if find is None else _jumped(replace(view, find=find), around, here=True)


def places(lines: Sequence[str], find: str) -> list[int]:
    """Lines of the preview that say it."""
    return [n for n, line in enumerate(lines) if find.lower() in line.lower()] if find else []


def _jumped(view: PickerView, around: ViewBounds, *, back: bool = False, here: bool = False) -> PickerView:
    found = places(around.preview, view.find.text)
    if not found:
        return replace(view, note=f'"{view.find.text}" is not in the preview') if view.find.text else view
    if back:
        return replace(view, scroll=next((n for n in reversed(found) if n < view.scroll), found[-1]))
    return replace(view, scroll=next((n for n in found if n >= view.scroll + (not here)), found[0]))


def _in_keys(view: PickerView, key: str, _around: ViewBounds) -> PickerView:
    if key in ("<esc>", "<enter>"):
        return replace(view, focus=Focus.HITS, keys=Field())
    typed = view.keys.pressed(key)
    return view if typed is None else replace(view, keys=typed)


_FOCUSED: Mapping[Focus, Callable[[PickerView, str, ViewBounds], PickerView]] = {
    Focus.HITS: _in_hits,
    Focus.FILTERS: _in_filters,
    Focus.PREVIEW: _in_preview,
    Focus.FIND: _in_find,
    Focus.KEYS: _in_keys,
}
