"""What models cost, from one small file beside this one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import cast

from memlane.llm.llm import FREE, Price


@cache
def _table() -> Mapping[str, Price]:
    loaded = tomllib.loads(files("memlane.llm").joinpath("prices.toml").read_text())
    return {name: Price(*pair) for name, pair in cast(Mapping[str, tuple[float, float]], loaded["dollars"]).items()}


def price_of(model: str) -> Price | None:
    """By the longest beginning that is known, whoever sells it (`anthropic/claude-…`)."""
    name = model.rpartition("/")[2].lower()
    known = max((begin for begin in _table() if name.startswith(begin)), key=len, default="")
    return _table().get(known)


def price_at(model: str, *, local: bool) -> Price | None:
    """A known name costs also behind a proxy on this computer; an unknown one is free here, and unknown elsewhere."""
    return price_of(model) or (FREE if local else None)
