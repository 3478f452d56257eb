"""What a mask says where a person marked words as private, instead of the name of a rule. The Gate puts it there."""

from __future__ import annotations

PRIVATE = "private"  # between `<private>` and `</private>`
UNCLOSED = "private, never closed"  # `</private>` is missing: all that follows is masked, and the mask says why
