"""Every place where a surface writes bytes is known, with what it writes: a new one fails here until it has the door.

`memlane.domain.door` is the one way out for text that we did not write.
"""

from __future__ import annotations

import ast
from collections import Counter

from tests.house.test_world import name_of
from tests.house.tree import Module, modules

WRITES = frozenset(
    {
        *("print", "click.echo", "click.secho", "click.prompt", "click.confirm", "os.write", "posix.write"),
        *("sys.stdout.write", "sys.stderr.write", "sys.stdout.buffer.write", "sys.stderr.buffer.write"),
        *("msgspec.json.encode", "json.dumps", "Markup", "FencedText"),
    }
)
OURS = "only words of ours"
INSIDE = "between processes of ours, or for a program of ours: shown by one of the others"
EXITS = {
    # a hook, and MCP: `leaving` goes over every string
    "surfaces/daemon/current_lane.py msgspec.json.encode": "a hook's answer, after leaving()",
    "surfaces/hooks/client.py posix.write": "the daemon's bytes as they came, and a log line without the agent's words",
    "surfaces/mcp/transport.py msgspec.json.encode": "replies of answered(), after leaving(); errors of ours",
    "surfaces/mcp/transport.py sys.stderr.write": "after plain()",
    "surfaces/mcp/tools/memories.py FencedText": "a window, quoted by catch.model.prompt",
    "surfaces/mcp/tools/memories.py msgspec.json.encode": INSIDE,
    # HTTP
    "surfaces/api/http.py msgspec.json.encode": "every document, after in_json()",
    "surfaces/api/openapi.py msgspec.json.encode": OURS,
    "surfaces/serve/process.py sys.stderr.write": "after plain()",
    # pages: the templates' `finalize` names what is hidden in every value
    "surfaces/web/html.py Markup": "finalize itself",
    "surfaces/web/html.py msgspec.json.encode": "what an act says, after named()",
    "surfaces/web/entrance.py msgspec.json.encode": OURS,
    "surfaces/web/news.py msgspec.json.encode": "ids only",
    "surfaces/web/formats.py Markup": "escaped text with a tag of ours",
    "surfaces/web/texts.py Markup": "Markdown without raw HTML, after named()",
    "surfaces/web/calls.py msgspec.json.encode": "a value of a template",
    "surfaces/web/pages/map.py msgspec.json.encode": "a value of a template",
    "surfaces/web/pages/river.py msgspec.json.encode": "a value of a template",
    # a terminal: `shown` is the last step
    "surfaces/cli/output.py sys.stdout.buffer.write": "print_line, after shown()",
    "surfaces/cli/output.py click.echo": "say_line, after shown()",
    "surfaces/cli/output.py json.dumps": "encoded, after in_json()",
    "surfaces/cli/output.py sys.stdout.write": OURS,
    "surfaces/cli/screen.py click.confirm": "after shown()",
    "surfaces/cli/picker/terminal.py os.write": "rows after shown(), and our own cursor",
    "surfaces/cli/transcript.py json.dumps": "a line that print_line prints",
    "surfaces/cli/show.py sys.stdout.buffer.write": "--raw: the archive's bytes, on request",
    "surfaces/cli/__init__.py click.echo": OURS,
    "surfaces/cli/frame.py click.echo": OURS,
    "surfaces/cli/donate.py click.prompt": OURS,
    "surfaces/cli/init.py click.prompt": OURS,
    "surfaces/cli/join.py click.prompt": OURS,
    "surfaces/cli/resume.py click.prompt": "words of ours, and what was typed at this terminal",
    "surfaces/cli/mem/edit.py click.confirm": OURS,
    # the daemon's own
    "surfaces/daemon/service.py sys.stderr.write": "after plain()",
    "surfaces/daemon/log_file.py os.write": "the log, after one_line()",
    "surfaces/daemon/watch.py os.write": "a byte of ours for the daemon that started it",
    "surfaces/web/pages/transcript.py msgspec.json.encode": "numbers, in an attribute of a page",
    "surfaces/daemon/mods.py json.dumps": INSIDE,
    "surfaces/daemon/http.py msgspec.json.encode": INSIDE,
    "surfaces/daemon/loop.py msgspec.json.encode": INSIDE,
    "surfaces/daemon/relay.py json.dumps": INSIDE,
    "surfaces/serve/otlp.py msgspec.json.encode": "figures, and names of ours",
}


def exits(module: Module) -> Counter[str]:
    called = (name_of(node.func) for node in module.nodes if isinstance(node, ast.Call))
    return Counter(f"{module.name} {name}" for name in called if name in WRITES)


def test_every_place_that_writes_is_known() -> None:
    found = set[str]().union(*(exits(module) for module in modules() if module.name.startswith("surfaces/")))
    assert found == EXITS.keys()


def test_a_fence_is_written_in_one_place_alone() -> None:
    """Beside it a window, whose steps have marks of their own."""
    writers = {
        module.name for module in modules() if '<{FENCE} nonce="{' in module.text or "<{tag} nonce=" in module.text
    }
    assert writers == {"domain/door.py", "dream/folder/page.py"}  # the page's mark is a comment with our id in it
    assert {m.name for m in modules() if "FencedText(f" in m.text} == {
        "domain/door.py",
        "surfaces/mcp/tools/memories.py",
    }


def test_no_room_keeps_a_list_of_hidden_characters_of_its_own() -> None:
    """The Gate reads bytes and names compare words; nothing else may decide what is not seen."""
    lists = {
        module.name for module in modules() if "\\u202a-\\u202e" in module.text or "\\u2066-\\u2069" in module.text
    }
    assert lists <= {"entities/names.py"}


def test_the_look_for_exits_finds_them() -> None:
    module = Module.read("surfaces/x.py", "import click\nclick.echo(1)\nprint(2)\njson.dumps(3)\nother.echo(4)\n")
    assert sorted(exits(module)) == ["surfaces/x.py click.echo", "surfaces/x.py json.dumps", "surfaces/x.py print"]
