"""Words that cannot both hold, words that only say how strongly, words for what is allowed: lists, no code."""

from __future__ import annotations

from memlane.claims.agreement import root


def listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _rooted(text: str) -> frozenset[str]:
    return frozenset(word for one in text.split() for word in (one, root(one)))


# Two words of which one clause has the first and another the second.
OPPOSITES = frozenset(
    frozenset(map(root, pair.split()))
    for pair in (
        "on off", "enabled disabled", "enable disable", "first last", "public private", "open closed", "sync async",
        "required optional", "tabs spaces", "light dark", "ascending descending", "newest oldest", "inside outside",
        "online offline", "upper lower", "manual automatic", "manually automatically", "strict lenient", "least most",
        "an aus", "oben unten",
    )
)  # fmt: skip
# One of a kind: a thing is written in one language, held on one day.
EXCLUSIVE = (
    _rooted("english german french spanish italian dutch portuguese polish englisch deutsch französisch"),
    _rooted("monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag"),
    _rooted("january february march april june july august september october november december"),
    _rooted("daily weekly monthly yearly hourly nightly täglich wöchentlich monatlich"),
    _rooted("json yaml toml xml csv"),
    _rooted("red amber yellow green blue"),
    _rooted("centimetre millimetre inch"),
    _rooted("celsius fahrenheit kelvin"),
    _rooted("one two three four five six seven eight nine ten twelve"),
)
FORBIDS = listed("forbidden prohibited banned disallowed verboten untersagt")
NO = FORBIDS | listed(
    "not never no nothing nobody none avoid stop nor neither cannot forbid unwanted"
    " nie niemals nicht nichts kein keine keinen keinem keiner"
)
# Allowing is the opposite of forbidding; asking for it is, too. The word itself is about nothing.
PERMITS = listed(
    "fine ok okay allowed permitted welcome good acceptable may can possible free always must should shall required"
    " please want wanted wants prefer preferred erlaubt immer darf dürfen soll muss gern"
)
ADVERBS = listed(
    "now again also too still just really only simply generally usually currently already today longer more anymore"
    " straight directly explicitly here there instead even ever yet by default jetzt wieder auch noch nur hier"
)
LIGHT = _rooted(
    "use using run go get keep put make do have need set let come take give want live stay remain happen send write"
    " person user agent assistant project repository repo"
)
# What can have one value only, wherever in its clause the figure stands.
ONE_VALUE = listed(
    "oldest newest latest minimum maximum default only limit cap least most highest lowest smallest largest"
)
EVERY = listed("every each any all jede jeden jedem jeder jedes alle allen")
UNITS = _rooted("s ms sec second minute min hour h day week month year mb gb kb kib mib px percent euro eur")
NUMBERED = listed(  # what a number names rather than measures
    "step phase part chapter room table line page issue ticket pr question task stage round item note day week"
)
