"""What a type looks like comes out of the table of types alone."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from memlane.domain import Type
from memlane.surfaces.web.stylesheet import stylesheet

STATIC = files("memlane.surfaces.web").joinpath("static")


@pytest.mark.parametrize("type_", Type)
def test_every_type_has_a_colour_and_a_class(type_: Type) -> None:
    light, dark = type_.row.colour
    assert f"  --{type_}: light-dark({light}, {dark});\n" in stylesheet()
    assert f".t-{type_} {{ --type: var(--{type_}); }}\n" in stylesheet()


def test_a_patch_has_the_shape_of_its_dot() -> None:
    assert ".patch.dot-commitment { clip-path: polygon(50% 0, 100% 100%, 0 100%); }\n" in stylesheet()
    assert ".patch.dot-correction { border-radius: 50%; }\n" in stylesheet()
    assert ".patch.dot-gap { background: none; border: 3px solid var(--type); border-radius: 50%; }\n" in stylesheet()
    assert "dot-decision" not in stylesheet(), "a patch is square as it is"


@pytest.mark.parametrize("name", sorted(one.name for one in STATIC.iterdir() if one.name.endswith((".css", ".js"))))
def test_no_file_beside_it_knows_a_type(name: str) -> None:
    types = "|".join(Type)
    known = re.compile(rf"--(?:{types})\b|\.t-(?:{types})\b|\bdot-(?:{types})\b|[\"'`](?:{types})[\"'`]")
    assert known.findall(STATIC.joinpath(name).read_text(encoding="utf-8")) == []
