"""Fifty entities with twins, aliases and names that are words, and the sentences in which they may be meant."""

from __future__ import annotations

from pathlib import Path

from memlane.domain import Entity, Project

SENTENCES = Path(__file__).parent / "sentences.txt"


def _one(line: str) -> Entity:
    type_, slug, name, *aliases = (part.strip() for part in line.split("|"))
    origin = "run" if type_ == "project" else "folder"
    return Entity(type_, slug, name, tuple(aliases), origin=origin)


FIFTY = [
    _one(line)
    for line in """
person|brown-neal|Neal Brown
person|hoy-amy|Amy Hoy
person|stone-mark|Mark Stone
person|reyes-mark|Mark Reyes
person|tetterus-adam|Adam Tetterus|Tetty
person|king-adam|Adam King
person|hillman-alex|Alex Hillman
person|foster-will|Will Foster
person|hill-grace|Grace Hill
person|okafor-grace|Grace Okafor
person|lindqvist-may|May Lindqvist
person|bauer-june|June Bauer
person|garner-hope|Hope Garner
person|petrov-art|Art Petrov
person|nguyen-bill|Bill Nguyen
person|jensen-rose|Rose Jensen
person|baptiste-jean-luc|Jean-Luc Baptiste|JL
person|oneill-siobhan|Siobhán O'Neill
person|garcia-jose|José García|Pepe
person|tanaka-taro|田中 太郎|Taro Tanaka
person|kim-minsu|김민수|Minsu Kim
person|wang-fang|王芳|Wang Fang
person|ruiz-sam|Sam Ruiz
person|ruiz-elena|Elena Ruiz
person|whitaker-dana|Dana Whitaker
person|frank-jack|Jack Frank
person|smith-jordan|Jordan Smith
person|smith-casey|Casey Smith
person|carter-ruby|Ruby Carter
person|ozturk-can|Can Öztürk
business|indy-hall|Indy Hall|Independents Hall
business|stacking-the-bricks|Stacking the Bricks|STB
business|goodsomm|GoodSomm
business|hope-bakery|Hope Bakery
business|mark-and-co|Mark & Co
business|acme|Acme
project|andy-core|andy-core
project|mailer|mailer
project|api|acme/api|api
project|tools|tools
project|landing-page|landing-page
project|orchid-web|kessler/orchid-web|orchid-web
website|indyhall-org|indyhall.org
website|stackingthebricks-com|stackingthebricks.com
community|10k|10k
agent|andy|Andy
feature|memory-lane|Memory Lane
event|drink-and-draw|Drink & Draw
venue|boardroom|Boardroom
document|member-survey|Member Survey
""".strip().splitlines()
]


def sentences() -> list[tuple[str, Project, dict[str, tuple[str, ...]]]]:
    """Each with where it was said, and what its names mean: one slug is known, several are ambiguous."""
    found: list[tuple[str, Project, dict[str, tuple[str, ...]]]] = []
    for line in SENTENCES.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        said, _, meant = line.rpartition(" => ")
        project = Project("", "")
        if said.startswith("@"):
            name, _, said = said[1:].partition(" ")
            project = Project(name, f"/home/ann/{name}")
        pairs = (part.split(":") for part in meant.split(";") if part.strip() != "-")
        names = {raw.strip(): tuple(slug.strip() for slug in slugs.split(",")) for raw, slugs in pairs}
        found.append((said.replace("\\n", "\n"), project, names))
    return found
