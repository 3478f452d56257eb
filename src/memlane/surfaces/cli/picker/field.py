"""One line that is being typed: its text and where the cursor stands. It knows the keys everybody's fingers know."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Field:
    text: str = ""
    at: int = 0

    @classmethod
    def holding(cls, text: str) -> Field:
        return cls(text, len(text))

    def pressed(self, key: str) -> Field | None:
        """After this key; None when it is no key of a line."""
        if len(key) == 1:
            return self._put(key)
        return {
            "<backspace>": self._cut(self.at - 1, self.at),
            "<delete>": self._cut(self.at, self.at + 1),
            "<left>": self._to(self.at - 1),
            "<right>": self._to(self.at + 1),
            "<home>": self._to(0),
            "<ctrl-a>": self._to(0),
            "<end>": self._to(len(self.text)),
            "<ctrl-e>": self._to(len(self.text)),
            "<ctrl-u>": self._cut(0, self.at),
            "<ctrl-k>": self._cut(self.at, len(self.text)),
            "<ctrl-w>": self._cut(self._word_before(), self.at),
        }.get(key)

    def _put(self, character: str) -> Field:
        if len(self.text) >= LONGEST:
            return self
        return Field(self.text[: self.at] + character + self.text[self.at :], self.at + 1)

    def _cut(self, begin: int, end: int) -> Field:
        begin = max(0, begin)
        return Field(self.text[:begin] + self.text[end:], begin)

    def _to(self, at: int) -> Field:
        return Field(self.text, max(0, min(at, len(self.text))))

    def _word_before(self) -> int:
        before = self.text[: self.at].rstrip()
        return before.rfind(" ") + 1
