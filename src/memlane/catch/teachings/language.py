"""Which language a sentence is in: by its script, else by the small words that only one language has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from memlane.catch.teachings.languages import ALL
from memlane.catch.teachings.rules import CompiledRules

ENOUGH = 6  # words of a sentence that say which language it is in
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SMALL_WORDS = {
    "en": (
        "the a an and or of to in for with is are be we you your our i it this that not never always from on"
        " use don't i'm i'd i've it's we're we've you're that's"
        " please as by at my no have should must only all when what how can"
    ),
    "de": (
        "der die das und oder nicht ist sind wir ich du ein eine einen im in dem den des mit auf für von zu immer nie"
        " niemals bitte ab jetzt auch nur bei uns hier kein keine mir mich dir wenn wird werden haben hat es noch"
        " schon mal merk künftig keinen über zum zur nutze verwende nimm statt alle jede jeder man soll muss"
        " ohne sind"
    ),
    "fr": (
        "le la les un une des du de et ou ne pas est sont on nous je tu vous il elle ce cette dans pour par avec sur"
        " toujours jamais plus moi mon ma mes qu qui que en au aux chez dorénavant désormais à ça c'est n'est j'ai"
        " utilise réponds tous toutes chaque sans note bien retiens décidé préfère arrête évite stp d'abandonner"
    ),
    "es": (
        "el la los las un una unos de del y o no es son en para por con sobre siempre nunca que se al lo yo"
        " tú mi me te"
        " su nos aquí acá porfa favor más pero cuando como cómo qué este esta esto ya hay usa usamos prefiero todo"
        " cada hemos decidido decidimos deja necesita dos todos todas uso sin desde hoy ten odio soy hagas"
        " todavía trabajo dame nos así nada tu guarda desde muy ese esa eso están está va van sus nuestro"
        " nuestra ni si olvides había visto"
    ),
    "pt": (
        "o a os as um uma de do da dos das e ou não é são em no na nos nas para pra por com sobre sempre nunca que se"
        " ao eu você vc meu minha me te isso esse essa este aqui mais mas quando como já só agora favor gente pro tá"
        " cada precisa duas pare prefiro decidimos todos todas uso use sem responda neste nesse sou tenha"
        " trabalho então nada dá migramos"
    ),
}
_SMALL: Mapping[str, frozenset[str]] = {name: frozenset(words.split()) for name, words in _SMALL_WORDS.items()}
_ONLY = {
    "pt": re.compile(r"[ãõ]|ção\b|ções\b|\bnão\b|\bvocê\b", re.IGNORECASE),
    "es": re.compile(r"[ñ¿¡]|ción\b", re.IGNORECASE),
    "de": re.compile(r"[ßäöü]", re.IGNORECASE),
    "fr": re.compile(r"[çèêàùœ]|\b[ldjnsc]'", re.IGNORECASE),
}


def language_of(text: str) -> str:
    """Of a whole prompt; `en` where nothing tells."""
    return _languages_of(text)[0]


def compile_all() -> None:
    for table in ALL.values():
        _ = table.compiled


def rules_for(sentence: str, prompt_language: str) -> CompiledRules:
    """Of the sentence itself if its words tell, else of the prompt around it. Where several languages have as many of
    its words, the one in which it teaches something."""
    tells = len(_WORD.findall(sentence)) > ENOUGH or (prompt_language not in ("ja", "zh") and _HAN.search(sentence))
    names = _languages_of(sentence)
    if not tells and not _KANA.search(sentence):
        names = [prompt_language, *(name for name in names if name in _SMALL and prompt_language in _SMALL)]
    found = [ALL[name].compiled for name in (*(n for n in names if n == prompt_language), *names)]
    return next((rules for rules in found if rules.opener.search(sentence) or rules.strong.search(sentence)), found[0])


def _languages_of(text: str) -> list[str]:
    """The likeliest; several where they are equal, English first."""
    if _KANA.search(text):
        return ["ja"]
    if len(_HAN.findall(text)) > 1:
        return ["zh"]
    words = Counter(word.casefold() for word in _WORD.findall(text[:4000]))
    points = {name: sum(words[word] for word in small) for name, small in _SMALL.items()}
    for name, pattern in _ONLY.items():
        points[name] += min(3, len(pattern.findall(text[:4000])))
    best = max(points.values())
    return [name for name in points if points[name] == best]
