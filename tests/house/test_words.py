"""One word for one thing, and a question over every door."""

from __future__ import annotations

import ast
import re

from tests.house.tree import ROOT, SRC, modules, there

ROW = re.compile(r"^\| \*\*(?P<word>\w+)\*\* \|.*\| (?P<avoid>[^|]*) \|$", re.MULTILINE)
LAST_WORD = re.compile(r"[A-Z][a-z]*$")
AGENTS_WORDS = frozenset({"session", "message", "event", "thread", "conversation", "item"})
WHERE_AGENTS_ARE_QUOTED = ("agents/", "surfaces/hooks/")
EXCUSED = {
    "Bookmark": "where the reading of a Run stopped in the archive; a Checkpoint is of a source file",
    "ClaudeHistory": "Claude Code's own `history.jsonl`; what we keep is the Archive",
    "Cursor": "the editor; where capture goes on is a Checkpoint",
    "Document": "a whole conversation inside an export or a database; a Chunk is a piece of one Step",
    "EmbeddedEngine": "an Engine",
    "Engine": "where indexes rest, behind the ports; who opens a home is Lane",
    "Kind": "what a Step is; what a Memory is, is its Type",
    "Level": "how grave a finding of `lane doctor` is; a Memory has Maturity",
    "PostgresEngine": "an Engine",
    "Result": "how a Run went, which its Memories are credited with; what fits a Query is a Match",
    "RunFilter": "which Runs a person asked for; what keeps secrets out is the Gate",
}


def avoided() -> dict[str, str]:
    """The word to avoid → the word to use, from the table in CONTEXT.md."""
    if not there("CONTEXT.md"):
        return {}
    rows = list(ROW.finditer((ROOT / "CONTEXT.md").read_text()))
    assert len(rows) >= 30, "the table of words in CONTEXT.md is not as it was"
    return {avoid.strip().lower(): row["word"] for row in rows for avoid in row["avoid"].split(",")}


def test_no_class_is_named_by_a_word_to_avoid() -> None:
    words = avoided()
    wrong: list[str] = []
    for module in modules():
        theirs = AGENTS_WORDS if module.name.startswith(WHERE_AGENTS_ARE_QUOTED) else frozenset[str]()
        for node in module.nodes:
            if not isinstance(node, ast.ClassDef) or node.name in EXCUSED:
                continue
            last = LAST_WORD.search(node.name.removesuffix("Error"))
            word = last[0].lower() if last else ""
            if word in words and word not in theirs:
                wrong.append(f"{module.place(node)} {node.name}: say {words[word]}")
    assert wrong == []


def test_every_excuse_is_still_needed() -> None:
    classes = {node.name for module in modules() for node in module.nodes if isinstance(node, ast.ClassDef)}
    assert set(EXCUSED) <= classes


def test_every_room_asks_its_question() -> None:
    rooms = {path.parent.name: ast.parse(path.read_text()) for path in SRC.glob("*/__init__.py")}
    silent = {name for name, tree in rooms.items() if "?" not in (ast.get_docstring(tree) or "")}
    assert silent <= {"app", "flow"}  # Lane is what opens them all
