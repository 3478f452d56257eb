"""Whatever a Source trips over costs one file, never the others. The one place that catches everything they raise."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from memlane.errors import DamagedError, LaneError


class BrokenSourceError(DamagedError):
    """A Source raised where it must not: its bytes are safe, what they say is not known."""

    kind = "broken-source"


@contextmanager
def guarded(name: str) -> Generator[None, None, None]:
    """Around every call into the Source of this name, ours or somebody else's."""
    try:
        yield
    except (LaneError, OSError):
        raise
    except Exception as error:
        reason = f"{name} cannot read it: {type(error).__name__}: {error}"
        raise BrokenSourceError(reason, hint="a bug of that agent's reader; the bytes are kept") from error
