"""Words into the tokens of a table: byte pair merges, the lowest numbered token first, as the table was trained.

No token of the table mixes letters with anything else, so each run of letters is cut by itself, and only once. Spaces
and ASCII punctuation are left out: they say nothing (no difference on 231 questions). It knows no meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

_SPACE = "▁"  # how the table writes the space before a word
_RUN = 32  # letters: merging costs their square, and what is longer is no word
_PIECES = re.compile(rf" ?[^\W\d_]{{1,{_RUN}}}|\d|[^\x00-\x7f\w\s]{{1,{_RUN}}}")
_NONE = 1 << 30  # no token
_REMEMBERED = 1 << 16  # pieces, some 10 MB; forgotten together, for they come back at once


class Pieces(dict[str, tuple[int, ...]]):
    """Piece → its tokens, worked out when first asked for."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        super().__init__()
        self._numbers = numbers

    def tokens(self, text: str) -> list[int]:
        return [token for piece in _PIECES.findall(" " + text) for token in self[piece]]

    def __missing__(self, piece: str) -> tuple[int, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        merged = self._merged(list(piece.replace(" ", _SPACE)))
        self[piece] = found = tuple(number for part in merged for number in self._numbered(part))
        return found

    def _merged(self, parts: list[str]) -> list[str]:
        """The two neighbours that make the lowest numbered token become one, until no two make any."""
        numbers = self._numbers
        while len(parts) > 1:
            pairs = [numbers.get(left + right, _NONE) for left, right in pairwise(parts)]
            best = min(pairs)
            if best == _NONE:
                break
            at = pairs.index(best)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        return parts

    def _numbered(self, part: str) -> list[int]:
        """A character the table does not have is its bytes."""
        if part in self._numbers:
            return [self._numbers[part]]
        return [self._numbers[f"<0x{byte:02X}>"] for byte in part.encode("utf-8", "replace")]
