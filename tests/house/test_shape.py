"""How the package is cut: short modules that say what they are, rooms entered by their door, a hook kept small."""

from __future__ import annotations

import ast

import pytest

import memlane
from tests.house.tree import SRC, imported, modules, there

TOO_LONG = 400  # lines; 250 is a smell
MOST_NAMES = 20  # public ones: what is public can never be moved again
HOOK_SCRIPT = "surfaces/hooks/client.py"
HOOK_MAY_IMPORT = frozenset({"_socket", "_signal", "errno", "os", "posix", "sys", "time"})  # built in: no file is read
OPEN_ROOMS = frozenset({"domain", "system"})  # words, and tools that have nothing to do with each other


def test_no_module_wants_to_be_two() -> None:
    assert [module.name for module in modules() if module.text.count("\n") > TOO_LONG] == []


def test_every_module_says_what_it_is() -> None:
    assert [module.name for module in modules() if not ast.get_docstring(module.tree)] == []


def test_a_room_is_entered_by_its_door() -> None:
    """`from memlane.gate import …`, never `from memlane.gate.scanner import …`; only Lane reaches inside."""
    rooms = {path.parent.name for path in SRC.glob("*/__init__.py")} - OPEN_ROOMS
    inside: list[str] = []
    for module in modules():
        for name, place in imported(module):
            package, _, rest = name.removeprefix("memlane.").partition(".")
            inner = rest.partition(".")[2] if package == "app" else rest  # each package of app/ has a door of its own
            a_door = module.room == "app" or module.name == "__main__.py"
            if inner and name.startswith("memlane.") and package in rooms - {module.room} and not a_door:
                inside.append(f"{place} {name}")
    assert inside == []


def test_the_hook_script_imports_next_to_nothing() -> None:
    if there(f"src/memlane/{HOOK_SCRIPT}"):
        (script,) = [module for module in modules() if module.name == HOOK_SCRIPT]
        assert sorted({name for name, _ in imported(script)} - HOOK_MAY_IMPORT) == []


def test_the_public_names_are_few_sorted_and_there() -> None:
    assert memlane.__all__ == sorted(memlane.__all__)
    assert len(memlane.__all__) < MOST_NAMES
    assert [name for name in memlane.__all__ if getattr(memlane, name).__name__ != name] == []
    with pytest.raises(AttributeError, match="Nonsense"):
        getattr(memlane, "Nonsense")  # noqa: B009 - pyright knows that it is not there


def test_what_an_editor_sees_is_what_there_is() -> None:
    """The names under TYPE_CHECKING, which nothing runs, are the public ones."""
    (root,) = [module for module in modules() if module.name == "__init__.py"]
    seen = [alias.name for node in root.nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(set(seen) - {"TYPE_CHECKING", "annotations", "import_module"}) == memlane.__all__
