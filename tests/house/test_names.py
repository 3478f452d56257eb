"""Names a stranger would guess: a class name once in the package, and modules called by nouns."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from tests.house.tree import Module, modules

ENGINES = {("storage", "embedded"), ("storage", "postgres")}  # they mean the same by a name
NO_NOUNS = frozenset({"again", "alone", "found", "held", "kept", "known", "late", "lately", "left", "made", "meant"})
SAID = frozenset({"said", "shown", "told", "written"})
NOUNS = {
    "embed": "the room; what it does is to embed",
    "embedded": "the engine and the extractor that ship with the package, as settings call them",
    "need": "a noun: how much a prompt needs a note",
}


def repeated(found: Iterable[Module]) -> list[str]:
    places = defaultdict[str, list[str]](list)
    for module in found:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module.name)
    return [f"{name}: {', '.join(where)}" for name, where in sorted(places.items()) if not _may_stand(where)]


def _may_stand(where: list[str]) -> bool:
    """In one place; or once in each of several agents, or of both engines."""
    homes = {PurePosixPath(name).parts[:2] for name in where}
    if len(where) == 1:
        return True
    return len(homes) == len(where) and (homes == ENGINES or {room for room, *_ in homes} == {"agents"})


def verbs(found: Iterable[Module]) -> list[str]:
    """Modules and packages whose name has a gerund or a participle in it."""
    wrong = set[str]()
    for module in found:
        path = PurePosixPath(module.name)
        for part in (*path.parent.parts, path.stem):
            words = part.strip("_").split("_")
            if any(word not in NOUNS and (word.endswith(("ing", "ed")) or word in NO_NOUNS | SAID) for word in words):
                wrong.add(module.name)
    return sorted(wrong)


def test_a_class_name_stands_for_one_class() -> None:
    assert repeated(modules()) == []


def test_modules_are_called_by_nouns() -> None:
    assert verbs(modules()) == []


def test_every_excused_word_is_still_a_name() -> None:
    parts = {word for module in modules() for part in PurePosixPath(module.name).parts for word in part.split("_")}
    assert {word.removesuffix(".py") for word in parts} >= NOUNS.keys()


def test_the_looks_find_what_they_look_for() -> None:
    def a(name: str, *classes: str) -> Module:
        return Module.read(name, "\n".join(f"class {each}: ..." for each in classes))

    assert repeated([a("index/build.py", "Row"), a("search/find.py", "Row", "Hit")]) == [
        "Row: index/build.py, search/find.py"
    ]
    assert repeated([a("agents/codex/facts.py", "Origin"), a("agents/pi/origin.py", "Origin")]) == []
    assert repeated([a("storage/embedded/names.py", "Names"), a("storage/postgres/names.py", "Names")]) == []
    assert repeated([a("storage/embedded/names.py", "Names"), a("storage/embedded/runs.py", "Names")]) != []
    assert verbs([a("app/leafing.py"), a("telling/words.py"), a("app/last_told.py"), a("embed/need.py")]) == [
        "app/last_told.py",
        "app/leafing.py",
        "telling/words.py",
    ]
