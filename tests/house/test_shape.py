"""How the package is cut: short modules that say what they are, rooms entered by their door, a hook kept small."""

from __future__ import annotations

import ast

import memlane
from tests.house.tree import SRC, imported, modules, there

TOO_LONG = 400  # lines; 250 is a smell
HOOK_SCRIPT = "surfaces/hooks/client.py"
HOOK_MAY_IMPORT = frozenset({"_socket", "_signal", "errno", "os", "posix", "sys", "time"})  # built in: no file is read
OPEN_ROOMS = frozenset({"domain"})  # words, not a room


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
            a_door = module.room == "lane" or module.name == "__main__.py"
            if rest and name.startswith("memlane.") and package in rooms - {module.room} and not a_door:
                inside.append(f"{place} {name}")
    assert inside == []


def test_the_hook_script_imports_next_to_nothing() -> None:
    if there(f"src/memlane/{HOOK_SCRIPT}"):
        (script,) = [module for module in modules() if module.name == HOOK_SCRIPT]
        assert sorted({name for name, _ in imported(script)} - HOOK_MAY_IMPORT) == []


def test_the_public_names_are_sorted_and_there() -> None:
    public: list[str] = getattr(memlane, "__all__", [])
    assert public == sorted(public)
    assert [name for name in public if not hasattr(memlane, name)] == []
