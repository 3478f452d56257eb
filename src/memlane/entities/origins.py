"""Where Entities come from: folders of markdown, a page each, and the projects that Runs bring along."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG

from memlane.domain import Entity, Project
from memlane.entities.names import plain, shown, slug_of
from memlane.system.disk import signature_of

MOST_PAGES = 20_000
MOST_ALIASES = 24
DEEPEST = 4  # folders in folders
READ = 16_384  # bytes: names stand at the top
ENDINGS = (".md", ".markdown")
NOT_PAGES = frozenset({"readme", "index", "_index", "template", "changelog", "contributing", "license", "memory"})

_NAME_FIELDS = ("name", "full_name", "fullname", "display_name", "title")
_ALIAS_FIELDS = frozenset(
    {"alias", "aliases", "aka", "also_known_as", "nickname", "nicknames", "names"}
    | {"short_name", "handle", "url", "website"}
)
_FIELD = re.compile(r"([A-Za-z][\w -]{0,40}?)\s*:(?:[ \t]+(.*))?$")
_ENTRY = re.compile(r"\s*-\s+(.*)$")
_HEADING = re.compile(r"#\s+(.+?)\s*#*\s*$")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|\[\[(?:[^\]|]*\|)?([^\]]*)\]\]")
_HOST = re.compile(r"^https?://(?:www\.)?([^/\s]+).*$")


@dataclass(slots=True)
class Pages:
    """What was read before, by path and signature: a second look costs one stat a page."""

    seen: dict[str, tuple[str, Entity]] = field(default_factory=dict[str, tuple[str, Entity]])
    broken: dict[str, str] = field(default_factory=dict[str, str])  # path → why it was passed over

    def look(self, folders: Sequence[tuple[str, Path]]) -> list[Entity]:
        """All there are now, in the order of the folders and their names."""
        self.broken.clear()
        found: dict[str, tuple[str, Entity]] = {}
        for type_, folder in folders:
            for path, signature in self._paths(folder):
                if len(found) >= MOST_PAGES:
                    self.broken[str(folder)] = f"more than {MOST_PAGES:,} pages: the rest is left out"
                    break
                known = self.seen.get(path)
                if known is None or known[0] != signature or known[1].type != type_:
                    known = self._read(type_, path, signature)
                if known is not None:
                    found[path] = known
        self.seen = found
        return [entity for _signature, entity in found.values()]

    def signatures(self, folders: Sequence[tuple[str, Path]]) -> Iterator[tuple[str, str, str]]:
        """Type, path and signature of every page there is, without reading any."""
        for type_, folder in folders:
            yield from ((type_, path, signature) for path, signature in self._paths(folder))

    def _paths(self, folder: Path, deep: int = 0) -> Iterator[tuple[str, str]]:
        """Pages and their signatures. Links are not followed: they may lead anywhere."""
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            self.broken[str(folder)] = error.strerror or "cannot be read"
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if deep < DEEPEST:
                    yield from self._paths(Path(entry.path), deep + 1)
            elif entry.name.lower().endswith(ENDINGS) and Path(entry.name).stem.lower() not in NOT_PAGES:
                try:
                    result = entry.stat(follow_symlinks=False)
                except OSError:
                    continue  # gone in between
                if S_ISREG(result.st_mode):
                    yield entry.path, signature_of(result)
                else:
                    self.broken[entry.path] = "a link or no file: not followed"

    def _read(self, type_: str, path: str, signature: str) -> tuple[str, Entity] | None:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(descriptor, "rb") as file:
                data = file.read(READ)
        except OSError as error:
            self.broken[path] = error.strerror or "cannot be read"
            return None
        if b"\0" in data:
            self.broken[path] = "not a text"
            return None
        entity = page_entity(type_, Path(path), data.decode("utf-8-sig", "replace"))
        if entity is None:
            self.broken[path] = "its file name names nothing"
            return None
        return signature, entity


def page_entity(type_: str, path: Path, text: str) -> Entity | None:
    slug = shown(path.stem).lower().replace(" ", "-")
    if not plain(slug):
        return None
    fields, body = front_matter(text)
    names = [name for key in _NAME_FIELDS for name in fields.get(key, ())]
    heading = next((_unmarked(found[1]) for line in body if (found := _HEADING.match(line))), "")
    given = [name for name in names or [heading] if plain(name)]
    name = shown(given[0]) if given else _from_slug(slug, type_)
    aliases = [alias for key in sorted(_ALIAS_FIELDS) for alias in fields.get(key, ())]
    listed = dict.fromkeys(shown(_HOST.sub(r"\1", alias)) for alias in (*given[1:], *aliases))
    kept = tuple(alias for alias in listed if plain(alias) and alias != name)[:MOST_ALIASES]
    return Entity(type_, slug, name, kept, str(path), "folder")


def _from_slug(slug: str, type_: str) -> str:
    """`brown-neal` is Neal Brown; `indy-hall` is Indy Hall."""
    words = [word[:1].upper() + word[1:] for word in re.split(r"[-_ ]+", slug) if word]
    return " ".join([*words[1:], words[0]] if type_ == "person" and len(words) > 1 else words)


def front_matter(text: str) -> tuple[Mapping[str, list[str]], Sequence[str]]:
    """The fields above the page, each a list of words, and the lines of the page. Not YAML: what names need of it."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return {}, lines
    end = next((n for n, line in enumerate(lines[1:], 1) if line.strip() in ("---", "...")), 0)
    fields: dict[str, list[str]] = {}
    now: list[str] = []
    for line in lines[1:end]:
        if entry := _ENTRY.match(line):
            now.extend(_values(entry[1], split=False))
        elif found := _FIELD.match(line):
            name = found[1].strip().lower().replace(" ", "_").replace("-", "_")
            now = fields.setdefault(name, [])
            now.extend(_values(found[2] or "", split=name in _ALIAS_FIELDS))
    return fields, lines[end + 1 :]


def _values(text: str, *, split: bool) -> list[str]:
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and not text.startswith("[["):
        text, split = text[1:-1], True
    parts = re.findall(r"\"[^\"]*\"|'[^']*'|[^,]+", text) if split else [text]
    values = (_unmarked(part.strip().strip("\"'")) for part in parts)
    return [value for value in values if value and value not in ("|", ">", "null", "~")]


def _unmarked(text: str) -> str:
    return _LINK.sub(lambda found: found[1] or found[2] or "", text).strip().strip("*_`")


PROJECT = "project"


def from_projects(projects: Iterable[Project]) -> list[Entity]:
    """Oldest first: of two with the same last name the older keeps the short slug, so that it never moves."""
    made: dict[str, Entity] = {}
    for project in dict.fromkeys(projects):
        name = shown(project.name)
        short = name.rstrip("/\\").replace("\\", "/").rpartition("/")[2]
        if not plain(short):
            continue
        slug = slug_of(short, PROJECT)
        if slug in made and name != short:
            slug = slug_of(name, PROJECT)
        if slug not in made:
            aliases = (short,) if short != name else ()
            made[slug] = Entity(PROJECT, slug, name, aliases, origin="run")
    return list(made.values())
