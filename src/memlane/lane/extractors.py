"""Who reads Windows by itself, as the settings say: the classifier inside the package, or a model somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.errors import UsageError
from memlane.lane.home import Home

if TYPE_CHECKING:
    from memlane.catch import Extractor

CATCHERS = ("embedded", "model")


def extractor(name: str, home: Home) -> Extractor:
    match name:
        case "embedded":
            from memlane.catch.embedded import Embedded

            return Embedded()
        case "model":
            from memlane.lane.asking import model_extractor

            return model_extractor(home)
        case _:
            raise UsageError(f"nobody called {name!r} reads", hint=f"catch.with is one of: {', '.join(CATCHERS)}, none")
