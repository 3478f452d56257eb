"""What a type looks like, as a stylesheet: its colour wherever it is named, its shape in a legend."""

from __future__ import annotations

from collections.abc import Iterator

from memlane.domain import Points, Type


def stylesheet() -> str:
    """Written out of the table of types, in its order."""
    colours = "".join(f"  --{one}: light-dark({', '.join(one.row.colour)});\n" for one in Type)
    return f":root {{\n{colours}}}\n" + "".join(f"{rule}\n" for type_ in Type for rule in _rules(type_))


def _rules(type_: Type) -> Iterator[str]:
    yield f".t-{type_} {{ --type: var(--{type_}); }}"
    if looks := _patch(type_):
        yield f".patch.dot-{type_} {{ {looks} }}"


def _patch(type_: Type) -> str:
    row = type_.row
    if row.patch:
        return f"clip-path: polygon({_polygon(row.patch)});"
    if row.shape:
        return ""
    return f"{'background: none; border: 3px solid var(--type); ' if row.hollow else ''}border-radius: 50%;"


def _polygon(points: Points) -> str:
    return ", ".join(" ".join(f"{part:g}%" if part else "0" for part in point) for point in points)
