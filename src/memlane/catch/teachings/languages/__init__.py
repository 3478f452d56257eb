"""One table of patterns for each language in which Teachings are found."""

from __future__ import annotations

from collections.abc import Mapping

from memlane.catch.teachings.languages import chinese, english, french, german, japanese, portuguese, spanish
from memlane.catch.teachings.rules import TeachingRules

ALL: Mapping[str, TeachingRules] = {
    table.RULES.language: table.RULES for table in (english, german, french, spanish, portuguese, japanese, chinese)
}
