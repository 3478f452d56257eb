"""Which language is a prompt in, where it is not English? By its script, else by its small words. It knows no model.

In doubt it is English: who writes English with one foreign word in it is understood as before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SHARE = 0.3  # of its letters in another script
_SCRIPTS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(f"[{letters}]")
    for name, letters in (
        ("Japanese", "\u3040-\u30ff"),
        ("Korean", "\u1100-\u11ff\uac00-\ud7af"),
        ("Chinese", "\u3400-\u4dbf\u4e00-\u9fff"),
        ("Russian", "\u0400-\u04ff"),
        ("Greek", "\u0370-\u03ff"),
        ("Arabic", "\u0600-\u06ff"),
        ("Hebrew", "\u0590-\u05ff"),
        ("Hindi", "\u0900-\u097f"),
        ("Thai", "\u0e00-\u0e7f"),
    )
}
OTHER_SCRIPT = "this script"
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"(?<![\w/])[^\W\d_]{2,}(?![\w/])")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Small words that hold a sentence together. None of them is a word of English.
_SMALL: Mapping[str, frozenset[str]] = {
    "German": _words(
        """
        der das den dem ein eine einen einem einer und oder ist sind nicht kein keine mit von für auf aus bei nach zum
        zur im ich wir du mir mich bitte soll sollen wird werden aber dass wie wenn hier mal immer noch nur auch mach
        wann wo
        """
    ),
    "Spanish": _words(
        """
        el la los las de en un una unos unas del que es está están con por para se lo su al mi ya más pero cómo cuándo
        qué esto esta este estas estos hay haz pon muy sin
        """
    ),
    "French": _words(
        """
        le la les de un une des du et ou est sont dans sur avec pour par pas ne ce cette ces il elle je tu au aux qui
        mais quand faut mets fais comment où qu
        """
    ),
    "Portuguese": _words(
        """
        de os um uma dos das da na nos nas é são com por para que isto esta este essa mas já como quando faz põe não
        muito mais ao em do
        """
    ),
    "Italian": _words("il gli una dei delle della nel nella è sono con che questo questa quando più perché"),
    "Dutch": _words("het een van voor niet met zijn dit dat maar naar hoe wanneer ik wij maak"),
}
_RUSSIAN_SMALL = _words("на в и или не по к от из за что это как у с со для при о об мне мы я все всё никак")
GLUE = frozenset[str]().union(*_SMALL.values()) | _RUSSIAN_SMALL
_ENGLISH = _words(
    """
    the a an of to in on and or is are was be for with from it this that these those i you we my your our me us can
    could should would will do does did not but if what how why where when which please at by as so have has into all
    any some
    """
)


def language_of(prompt: str) -> str:
    """Its name in English, or that of a script nobody here knows; "" for English and where it cannot be told."""
    letters = len(_LETTER.findall(prompt))
    if not letters:
        return ""
    counts = {name: len(script.findall(prompt)) for name, script in _SCRIPTS.items()}
    if sum(counts.values()) >= SHARE * letters:
        return "Japanese" if counts["Japanese"] else max(counts, key=lambda name: counts[name])
    if 2 * sum(map(_is_latin, prompt)) < letters:
        return OTHER_SCRIPT
    return _by_small_words(_WORD.findall(prompt.casefold()))


def in_other_script(language: str) -> bool:
    return language in _SCRIPTS or language == OTHER_SCRIPT


def _is_latin(letter: str) -> bool:
    return letter.isalpha() and (letter < "\u0250" or "\u1e00" <= letter < "\u1f00")


def _by_small_words(words: list[str]) -> str:
    counts = {name: sum(word in small for word in words) for name, small in _SMALL.items()}
    name = max(counts, key=lambda one: counts[one])
    marked = any(not word.isascii() for word in words)
    enough = counts[name] + marked
    english = sum(word in _ENGLISH and word not in _SMALL[name] for word in words)
    return name if enough >= 1 and counts[name] and enough > english and enough * 6 >= len(words) else ""
