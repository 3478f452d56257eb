"""What in a text speaks for a word being a name: its capital, its place in the sentence, the words around it."""

from __future__ import annotations

import re
from functools import cached_property

from memlane.domain import Entity
from memlane.entities.names import ARTICLES, TITLES, Word, is_cjk, words_of
from memlane.entities.vocabulary import (
    ADDRESSED,
    ADVERBS,
    AGENTS,
    BESIDE,
    COMMON,
    DAYS,
    DOING,
    FOLLOWING,
    GIVEN,
    GIVEN_WORDS,
    MODALS,
    MONTHS,
    OBJECTS,
    PARTICLES,
    PLACES,
    REPOSITORY,
    SAYING,
    SMALL,
    SUBJECTS,
    TOOLS,
    TYPE_WORDS,
    WITHIN,
    WORDY,
)

_BEFORE = re.compile(r"(?:[\s\"'“”‘’`(\[{*>|—–,;:!?&+~…]|(?<![^\W_])_)?\Z")
_AFTER = re.compile(r"(?:['’]s?)?(?:[\s\"'“”‘’`)\]}*|—–,;:!?&+~…<]|_(?![^\W_])|\.(?![^\W_])|/(?=\s)|\Z)")
_OPENING = re.compile(r"(?:\A|[.!?…:;|]\s*|\n)[\s\"'“”‘’`(\[{*_#>•–—-]*(?:\d+[.)]\s+)?(?:\[[ x]\]\s+)?\Z")
_TITLE_BEFORE = re.compile(r"\b(?:mr|mrs|ms|dr|prof|st)\.\s*\Z", re.IGNORECASE)
_OPTIMIZER = re.compile(r"optimi[sz]er|\bsgd\b|learning rate|\badamw\b", re.IGNORECASE)
_ENDING = re.compile(r"..(?:ing|ed|ery|tion|ment|ness|[^s]s)\Z")
LOOK_BACK = 40
SENTENCE = 160
SHORT = 3  # letters: as likely an abbreviation as a name


class Prose:
    """A text and its words, asked about one place at a time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words_of(text)

    def begins(self, n: int) -> bool:
        """Whether a sentence, a line or a bullet begins here: there a capital says nothing."""
        before = self.text[max(0, self.words[n].start - LOOK_BACK) : self.words[n].start]
        if self.words[n].start > LOOK_BACK:
            before = "x" + before
        return _OPENING.search(before) is not None and _TITLE_BEFORE.search(before) is None

    def clean(self, n: int, last: int | None = None) -> bool:
        """Not a piece of a path, an address, an identifier: `alex` in `/home/alex/x`, `@alex`, `alex-2`."""
        one, other = self.words[n], self.words[n if last is None else last]
        if is_cjk(one.text):
            return self._cjk_border(one, other)
        before = self.text[max(0, one.start - 2) : one.start]
        return (
            _BEFORE.search(before, max(0, len(before) - 1)) is not None
            and _AFTER.match(self.text, other.end) is not None
        )

    def apart(self, n: int, last: int) -> bool:
        """The same for a name of several words: `andy-core` does not stand in `andy-core-v2`."""
        one, other = self.words[n], self.words[last]
        if is_cjk(one.text):
            return self._cjk_border(one, other)
        before, after = self.text[max(0, one.start - 2) : one.start], self.text[other.end : other.end + 2]
        if " " in self.text[one.end : other.start] and re.match(r"-[a-z]", after):
            after = ""  # `Neal Brown-style`
        return not re.search(r"[^\W_][-_]\Z|_\Z", before) and not re.match(r"[-_][^\W_]|_|\(", after)

    def _cjk_border(self, one: Word, other: Word) -> bool:
        """Katakana and Korean have borders: アン does not stand in アンテナ."""
        before, after = self.text[max(0, one.start - 1) : one.start], self.text[other.end : other.end + 1]
        if _katakana(one.text) and (_katakana(before) or _katakana(after)):
            return False
        return not (_korean(one.text) and _korean(before))

    def before(self, n: int) -> str:
        return self._beside(n, -1)

    def after(self, n: int) -> str:
        return self._beside(n, 1)

    def _beside(self, n: int, step: int) -> str:
        """The neighbour in the same sentence, with nothing but a space or a title's period between."""
        if not 0 <= n + step < len(self.words):
            return ""
        first, second = sorted((self.words[n], self.words[n + step]), key=lambda word: word.start)
        between = self.text[first.end : second.start]
        if between.strip(" \t\"'“”*_`") == "" and "\n\n" not in between:
            return self.words[n + step].plain
        return first.plain if step < 0 and between.strip() == "." and first.plain in TITLES else ""

    def heading(self, n: int) -> bool:
        """Whether the words around are all written with capitals: there they say nothing."""
        start, end = self.words[n].start, self.words[n].end
        left = re.split(r"[.!?\n]", self.text[max(0, start - SENTENCE) : start])[-1]
        right = re.split(r"[.!?\n]", self.text[end : end + SENTENCE])[0]
        around = [*words_of(left)[1:], *words_of(right)]
        capitals = sum(w.titled and len(w.text) > 2 and w.plain not in MONTHS | DAYS for w in around)
        small = sum(w.text.islower() and len(w.text) > SHORT and w.plain not in SMALL for w in around)
        return capitals > 1 and small * 4 <= capitals

    @property
    def alone(self) -> bool:
        """Nothing else stands here: an answer to "which one?"."""
        return len(self.words) <= 2 and len(self.text) < LOOK_BACK

    def introduced(self, word: str) -> bool:
        """`an engineer named Alex`: somebody new, wherever else the text says Alex."""
        return word in self._introduced

    @cached_property
    def _introduced(self) -> frozenset[str]:
        pairs = zip(self.words, self.words[1:], strict=False)
        return frozenset(two.plain for one, two in pairs if one.plain == "named" and two.titled)

    @cached_property
    def about_optimizers(self) -> bool:
        return _OPTIMIZER.search(self.text) is not None


def _katakana(text: str) -> bool:
    return bool(text) and "\u30a0" <= text[0] <= "\u30ff"


def _korean(text: str) -> bool:
    return bool(text) and "\uac00" <= text[0] <= "\ud7af"


def needs_more(word: str) -> bool:
    """Whether its letters alone are too little."""
    return word in WORDY or (len(word) < SHORT and not is_cjk(word)) or word[0].isdigit()


# -- people ------------------------------------------------------------------------------------------------------------


def speaks_for_part(prose: Prose, n: int, *, last_name: bool = False) -> bool:
    """A first or last name by itself."""
    word = prose.words[n]
    if is_cjk(word.text):
        return True
    before, after = prose.before(n), prose.after(n)
    if not prose.clean(n) or prose.introduced(word.plain) or (word.plain == "adam" and prose.about_optimizers):
        return False
    if word.text.removesuffix("'s").isupper() and len(word.plain) > 1:
        return False
    if needs_more(word.plain):
        return _speaks_for_wordy(prose, n, before, after)
    if last_name:
        return word.titled and (_near_a_name(word, before, after) or prose.alone or _verb(prose, n))
    return word.titled or _near_a_name(word, before, after)


def _verb(prose: Prose, n: int) -> bool:
    """Whether what follows looks like something people do."""
    n += prose.after(n) in ADVERBS
    after = prose.words[n + 1].text if prose.after(n) else ""
    return after.islower() and len(after) > SHORT and after.endswith(("ed", "s"))


def speaks_for_called(prose: Prose, n: int) -> bool:
    """A first name in a text that says the whole name elsewhere: its capital is enough, inside a sentence."""
    word = prose.words[n]
    if word.plain in TOOLS or prose.before(n) in ARTICLES:
        return False
    return prose.clean(n) and word.titled and not prose.begins(n) and not prose.heading(n)


def _near_a_name(word: Word, before: str, after: str) -> bool:
    return before in ADDRESSED | BESIDE or after in DOING or word.possessive


def _speaks_for_wordy(prose: Prose, n: int, before: str, after: str) -> bool:
    word = prose.words[n]
    if word.plain in AGENTS or (word.plain in MODALS and after in SUBJECTS):
        return before in TITLES
    given = word.plain in GIVEN_WORDS
    if not word.titled:
        asked = before in ADDRESSED and after in FOLLOWING
        return asked and given and word.plain not in MODALS | MONTHS | TOOLS
    if prose.heading(n):
        return before in TITLES
    if before in ADDRESSED or after in (SAYING if prose.begins(n) else DOING) or (given and _paired(prose, n)):
        return True
    if not given or word.plain in MONTHS | TOOLS or after in OBJECTS:
        return False
    if prose.begins(n):
        return word.possessive and word.plain in GIVEN
    return word.possessive or before in BESIDE


def _paired(prose: Prose, n: int) -> bool:
    """`Adam and Grace`: two given names side by side speak for each other."""
    for step, beside in ((1, prose.after(n)), (-1, prose.before(n))):
        if beside == "and" and 0 <= n + 2 * step < len(prose.words):
            other = prose.words[n + 2 * step]
            if other.titled and other.plain in GIVEN_WORDS and other.plain not in MONTHS | MODALS | TOOLS:
                return True
    return False


def other_surname(prose: Prose, n: int) -> bool:
    """`Neal Stephenson` is not Neal Brown: a capital follows, and it is no word that has one anyway."""
    if n + 1 >= len(prose.words) or prose.words[n].possessive:
        return False
    word, between = prose.words[n + 1], prose.text[prose.words[n].end : prose.words[n + 1].start]
    if word.plain in PARTICLES and between == " " and n + 2 < len(prose.words):
        return any(later.titled for later in prose.words[n + 1 : n + 4])
    if between not in (" ", "  ", "-") or not word.titled or word.plain in MONTHS | DAYS | {"i"} or is_cjk(word.text):
        return False
    return not (prose.heading(n) and word.plain in WORDY)


def other_first_name(prose: Prose, n: int) -> bool:
    """`Charlie Brown` is not Neal Brown."""
    if n == 0 or prose.text[prose.words[n - 1].end : prose.words[n].start] not in (" ", "  ", "-"):
        return False
    word = prose.words[n - 1]
    if not word.titled or word.possessive or word.plain in TITLES | ADDRESSED or is_cjk(word.text):
        return False
    if word.plain in GIVEN_WORDS or word.plain in PLACES:
        return True
    return word.plain not in WORDY and word.plain not in BESIDE


def speaks_for_full_name(prose: Prose, n: int, last: int) -> bool:
    """First and last name: enough, unless both are words as well."""
    if not prose.apart(n, last) or _goes_on(prose, last):
        return False
    words = prose.words[n : last + 1]
    if not all(needs_more(word.plain) for word in words) or is_cjk(words[0].text):
        return True
    before, after = prose.before(n), prose.after(last)
    near = before in ADDRESSED or after in DOING or words[-1].possessive
    if all(word.titled for word in words):
        return near or before in BESIDE or words[0].plain not in MODALS | MONTHS or not prose.heading(n)
    return before in ADDRESSED and after not in OBJECTS


def _goes_on(prose: Prose, last: int) -> bool:
    """`Sophie Cabot Black` is not Sophie Cabot; `Linda Gregg Sara Elkamel` are two."""
    if last + 1 >= len(prose.words) or prose.words[last].possessive:
        return False
    word, between = prose.words[last + 1], prose.text[prose.words[last].end : prose.words[last + 1].start]
    if between not in (" ", "-") or not word.titled or word.plain in GIVEN | MONTHS | DAYS | {"i"} or is_cjk(word.text):
        return False
    return not (word.plain in COMMON | DOING and prose.heading(last))


# -- things ------------------------------------------------------------------------------------------------------------


def speaks_for_thing(prose: Prose, n: int, last: int, entity: Entity) -> bool:
    """A project, a shop, a website by its name."""
    words = prose.words[n : last + 1]
    if is_cjk(words[0].text):
        return len(words) > 1 and prose.apart(n, last)
    if not (prose.clean(n, last) if len(words) == 1 else prose.apart(n, last)):
        return False
    if len(words) == 1 and not _distinct(prose, n, entity):
        return _called_by_type(prose, n, last, entity)
    if not all(_ordinary(word) for word in words):
        return len(words[0].plain) > SHORT or len(words) > 1 or words[0].text in (entity.name, *entity.aliases)
    return _called_by_type(prose, n, last, entity) or _written_as_a_name(prose, n, last, entity)


def _distinct(prose: Prose, n: int, entity: Entity) -> bool:
    """A name of one word may be any word: `Entire` with its capital inside a sentence, `mailer` without an article."""
    word = prose.words[n]
    names = (entity.name, entity.slug, *entity.aliases)
    if any(word.plain == name.casefold() and _inner_capital(name) for name in names):
        return True
    if word.text.isupper() and word.text not in names:
        return False
    if word.text[0].isupper() and _inner_capital(word.text):
        return True
    before, after = prose.before(n), prose.after(n)
    if entity.origin == "run":
        quoted = prose.text[max(0, word.start - 1) : word.start] == "`" == prose.text[word.end : word.end + 1]
        return quoted or before in WITHIN or (not word.plain.isalpha() and before not in ARTICLES)
    if not word.text[0].isupper():
        return after in DOING and before not in ARTICLES
    if prose.begins(n):
        return word.possessive or after in DOING
    return not prose.heading(n) or before in WITHIN


def _inner_capital(name: str) -> bool:
    """`GoodSomm`, `indyHall`, `STB`."""
    return any(letter.isupper() for letter in name[1:]) and " " not in name


def _ordinary(word: Word) -> bool:
    """A word that stands in any sentence; one written small also by how it ends."""
    return needs_more(word.plain) or (word.text.islower() and _ENDING.search(word.plain) is not None)


def _called_by_type(prose: Prose, n: int, last: int, entity: Entity) -> bool:
    before, after = prose.before(n), prose.after(last)
    if entity.origin == "run":
        ours = before in ("our", "my") or (before == "the" and prose.words[n].plain not in COMMON)
        return before == "project" or (ours and after in REPOSITORY)
    kinds = TYPE_WORDS.get(entity.type, frozenset({entity.type}))
    return before in kinds or after in kinds


def _written_as_a_name(prose: Prose, n: int, last: int, entity: Entity) -> bool:
    """Several ordinary words: `Memory Lane`, `acme/api`, but not `memory lane` and not `landing page`."""
    if n == last:
        return False
    written = prose.text[prose.words[n].start : prose.words[last].end]
    if entity.origin == "run":
        in_path = prose.text[max(0, prose.words[n].start - 1) : prose.words[n].start] in ("/", "\\")
        whole = "/" in entity.name and written.lower() == entity.name.lower()
        return whole or (in_path and "-" in written and written.lower() == entity.slug)
    titled = all(word.titled or len(word.plain) <= SHORT for word in prose.words[n : last + 1])
    return (titled and not prose.heading(n)) or ("-" in written and written.lower() == entity.slug)


def a_name_stands(prose: Prose, n: int) -> bool:
    """Whether a person's name must stand here, whatever it is: for words that only nearly are one."""
    word = prose.words[n]
    if not prose.clean(n) or not word.titled or prose.heading(n):
        return False
    if other_surname(prose, n) or other_first_name(prose, n):
        return False
    before, after = prose.before(n), prose.after(n)
    return before in ADDRESSED or after in DOING or (word.possessive and before in BESIDE and not prose.begins(n))
