"""Whether a text may name anybody of a directory, by its words alone: for whoever looks through many texts."""

from __future__ import annotations

from memlane.entities import signs
from memlane.entities.directory import Directory
from memlane.entities.names import plain
from memlane.entities.vocabulary import GENERIC


class Glance:
    """Never misses a name that `mentions` would find, and takes some texts that name nobody."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory
        self._weighed = dict[str, bool]()

    def sees(self, text: str) -> bool:
        return any(self._may_be_a_name(word) for word in plain(text))

    def _may_be_a_name(self, word: str) -> bool:
        known = self._weighed.get(word)
        if known is None:
            known = self._weighed[word] = self._weigh(word)
        return known

    def _weigh(self, word: str) -> bool:
        if self._directory.knows(word) or word in GENERIC:
            return True
        return len(word) > signs.SHORT and any(True for _name in self._directory.nearly(word))
