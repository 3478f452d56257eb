"""The world is handed in: the environment is read in one place, the time and new ids come from Tools."""

from __future__ import annotations

import ast

from tests.house.tree import Module, modules

MAY_READ_THE_ENVIRONMENT = ("system/environment.py", "surfaces/hooks/client.py")  # the hook script stands alone
MAY_ASK_THE_TIME = ("app/", "surfaces/", "domain/identity.py")  # identity defines the ids it is asked for
ENVIRONMENT = frozenset({"environ", "environb", "getenv", "getenvb"})
CLOCKS_AND_DICE = frozenset({"now", "utcnow", "today", "time_ns", "uuid1", "uuid4", "uuid7", "random_id"})


def name_of(node: ast.expr) -> str:
    """`datetime.now` of `datetime.now`, `.now` of `made().now`: what is asked stands last."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{name_of(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def environment_reads(module: Module) -> list[str]:
    found = [node for node in module.nodes if isinstance(node, ast.Attribute | ast.Name)]
    return [module.place(node) for node in found if name_of(node).rpartition(".")[2] in ENVIRONMENT]


def clock_calls(module: Module) -> list[str]:
    called = [(node, name_of(node.func)) for node in module.nodes if isinstance(node, ast.Call)]
    return [
        f"{module.place(node)} {name}()"
        for node, name in called
        if name == "time.time" or name.rpartition(".")[2] in CLOCKS_AND_DICE
    ]


def test_only_config_reads_the_environment() -> None:
    rooms = [module for module in modules() if module.name not in MAY_READ_THE_ENVIRONMENT]
    assert [place for module in rooms for place in environment_reads(module)] == []


def test_no_room_asks_the_clock_or_makes_an_id() -> None:
    rooms = [module for module in modules() if not module.name.startswith(MAY_ASK_THE_TIME)]
    assert [place for module in rooms for place in clock_calls(module)] == []


def test_the_look_for_clocks_and_environments_finds_them() -> None:
    text = "import os, time\nfrom datetime import datetime\nos.environ['X']\ndatetime.now()\ntime.time()\nclock.now\n"
    module = Module.read("rooms/x.py", text)
    assert environment_reads(module) == ["rooms/x.py:3"]
    assert clock_calls(module) == ["rooms/x.py:4 datetime.now()", "rooms/x.py:5 time.time()"]
