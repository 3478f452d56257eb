"""What programs rely on: every document fits its published schema, every error is one object with a kind."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.acceptance.command_line import ROOT, SCHEMAS, Person, misfits, schema_of, unpublished

COMMANDS = (
    ["runs"],
    ["tree"],
    ["tree", "--by", "agent"],
    ["show", "RUN"],
    ["show", "RUN#t1.1"],
    ["search", "the"],
    ["search", "zzzzzzzz"],
    ["search", "the", "--mode", "meaning", "--sort", "new"],
    ["similar", "RUN"],
    ["edits", "README.md"],
    ["edits", "README.md", "--all"],
    ["tag", "RUN", "+one"],
    ["tag", "RUN"],
    ["pin", "RUN"],
    ["pin", "RUN", "--off"],
    ["offload", "--dry-run"],
    ["offload", "--run", "RUN", "--yes"],
    ["offload", "out"],
    ["offload", "undo"],
    ["export", "given", "RUN"],
    ["sync", "nas"],
    ["donate", "gift", "RUN", "--licence", "CC0-1.0", "--yes"],
    ["story", "RUN"],
    ["story", "--tree", "RUN"],
    ["recap", "2025"],
    ["wrapped"],
    ["brief", "RUN"],
    ["brief", "RUN", "--tree"],
    ["brief", "--since", "2020-01-01"],
    ["resume", "RUN", "--cwd", ".", "--in", "codex"],
    ["resume", "RUN", "--cwd", ".", "--dry-run"],
    ["resume", "RUN", "--cwd", "."],
    ["status"],
    ["doctor"],
    ["doctor", "--files"],
    ["logs"],
    ["logs", "--last-error"],
    ["mem", "list"],
    ["mem", "list", "ship", "--confidence", "50", "--since", "1d", "--seen", "1"],
    ["mem", "show", "MEMORY"],
    ["mem", "add", "tests run with pytest", "--title", "Tests", "--category", "code"],
    ["mem", "edit", "MEMORY", "--category", "code"],
    ["undo"],
    ["undo", "--list"],
    ["mem", "history", "MEMORY"],
    ["mem", "pause", "MEMORY"],
    ["mem", "standing", "MEMORY"],
    ["mem", "resume", "MEMORY"],
    ["mem", "keep", "MEMORY"],
    ["mem", "review"],
    ["mem", "forget", "MEMORY", "--now", "--dry-run"],
    ["mem", "forget", "MEMORY"],
    ["mem", "restore", "MEMORY"],
    ["mem", "import"],
    ["mem", "import", "--yes"],
    ["mem", "merge", "MEMORY", "NOTE", "--dry-run"],
    ["mem", "merge", "MEMORY", "NOTE"],
    ["mem", "forget", "NOTE", "--now", "--yes"],
    ["mem", "folder", "--write"],
    ["mem", "folder"],
    ["mem", "agents-md", "--off"],
    ["title", "RUN", "the first deploy"],
    ["title", "RUN", "--clear"],
    ["outcome", "RUN", "success", "--because", "it went well"],
    ["recall", "deploys of the shop: through make ship or by hand?"],
    ["recall", "yes"],
    ["recalls"],
    ["why"],
    ["config", "list"],
    ["config", "get", "recall.floor"],
    ["config", "set", "recall.floor", "0.5"],
    ["config", "path"],
    ["exclude", "add", "/nowhere"],
    ["exclude", "list"],
    ["exclude", "remove", "/nowhere"],
    ["capture"],
    ["tick"],
    ["pause", "30m"],
    ["capture"],
    ["pause", "--off"],
    ["archive", "verify"],
    ["archive", "repair"],
    ["archive", "compact"],
    ["archive", "move", "elsewhere", "--dry-run"],
    ["archive", "move", "elsewhere", "--yes"],
    ["rebuild"],
    ["forget", "RUN", "--dry-run"],
    ["forget", "RUN"],
    ["restore", "RUN"],
    ["forget", "RUN", "--now", "--yes"],
    ["help", "exit-codes"],
)


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Person:
    """Some of everything both agents write, and a note."""
    someone = Person(tmp_path_factory.mktemp("h"), quick=True).with_samples()
    someone.claude_run("one", "deploy the shop")
    return someone


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Person:
    """The same, captured: an order of the tests is nobody's promise."""
    someone = Person(tmp_path_factory.mktemp("i"), quick=True).with_samples()
    assert someone.lane("capture").code == 0
    return someone


def test_every_document_fits_its_schema(person: Person) -> None:
    """In one go, in this order: the later ones change what the earlier ones looked at."""
    (person.home / ".claude" / "CLAUDE.md").write_text("- Never use ellipses in messages\n")
    first = [
        person.lane("capture", "--json"),
        person.lane("remember", "deploys go through make ship", "--json"),
        person.lane("remember", "ship with make", "--json"),
    ]
    assert [ran.code for ran in first] == [0, 0, 0]
    (run,) = [change["run"] for change in first[0].data if change["session_id"] == "one"]
    memory, note = (ran.data["id"] for ran in first[1:])
    used = {ran.document["schema"] for ran in first}
    wrong = [misfit for ran in first for misfit in misfits(ran.document, schema_of(ran.document))]
    silent = set[str]()
    for path in (person.home / ".claude" / "projects").rglob("one.jsonl"):
        os.utime(path, (1e9, 1e9))  # not written to for long: it may be taken out
    for words in COMMANDS:
        given = (w.replace("RUN", run).replace("MEMORY", memory).replace("NOTE", note) for w in words)
        ran = person.lane(*given, "--json")
        assert ran.code in (0, 1), (words, ran)
        used.add(ran.document["schema"])
        wrong += [f"{' '.join(words)}: {misfit}" for misfit in misfits(ran.document, schema_of(ran.document))]
        silent |= {f"{words[0]}: {name}" for name in unpublished(ran.document, schema_of(ran.document))}
    assert wrong == []
    assert silent == set(), "documents say what their schemas do not mention"
    ours = {f"{path.stem}/1" for path in SCHEMAS.glob("lane.*.json")}
    assert {name for name in ours if name.split(".")[1].partition("/")[0] not in OTHERS} == used


# commands with tests of their own
OTHERS = (
    "catch",
    "daemon",
    "demo",
    "dream",
    "entity",
    "feedback",
    "hook",
    "init",
    "skills",
    "uninstall",
    "import",
    "ui",
    "projects",
    "join",
    "leave",
    "machines",
    "serve",
    "ship",
    "work",
    "audit",
    "groups",
    "hold",
    "people",
    "policy",
    "retention",
    "share",
    "shares",
    "unshare",
)


def test_every_schema_that_is_printed_is_published() -> None:
    sources = Path(ROOT / "src" / "memlane" / "surfaces" / "cli").rglob("*.py")
    printed = {name for file in sources for name in re.findall(r'"(lane\.[a-z.]+)/1"', file.read_text())}
    printed -= {"lane.thing"}  # the example in frame.py
    assert {name for name in printed if name.split(".")[1] not in OTHERS} <= {
        p.stem for p in SCHEMAS.glob("lane.*.json")
    }


def test_a_document_that_does_not_fit_is_noticed() -> None:
    schema = json.loads((SCHEMAS / "lane.runs.json").read_text())
    good = {"schema": "lane.runs/1", "data": [], "meta": {"runs": 0}}
    assert misfits(good, schema) == []
    assert misfits({**good, "meta": {}}, schema)
    assert misfits({**good, "data": [{"id": 1}]}, schema)
    assert misfits({**good, "schema": "lane.runs/2"}, schema)


@pytest.mark.parametrize(
    ("words", "kind", "code"),
    [
        (["show", "r_zzzzzz"], "not-found", 2),
        (["show"], "usage", 2),
        (["runs", "--agent", "nobody"], "usage", 2),
        (["runs", "--since", "whenever"], "usage", 2),
        (["nonsense"], "usage", 2),
        (["mem", "nonsense"], "usage", 2),
        (["mem", "edit", "m_zzzzzz", "--title", "x"], "not-found", 2),
        (["mem", "import", "/does/not/exist"], "usage", 2),
        (["outcome", "nonsense"], "usage", 2),
        (["undo", "a_zzzzzz"], "not-found", 2),
        (["config", "get", "nonsense"], "usage", 2),
        (["remember", " "], "usage", 2),
        (["capture", "/does/not/exist"], "usage", 2),
    ],
)
def test_an_error_is_one_object_on_stderr(indexed: Person, words: list[str], kind: str, code: int) -> None:
    ran = indexed.lane(*words, "--json")
    assert (ran.code, ran.out) == (code, "")
    assert misfits(json.loads(ran.err), json.loads((SCHEMAS / "error.json").read_text())) == []
    assert ran.error["kind"] == kind


def test_for_people_an_error_is_a_sentence_and_what_to_do(person: Person) -> None:
    said = person.lane("serach", "x").err.splitlines()
    assert said[0] == "error: there is no command 'serach'"
    assert "search" in said[1]
    assert said[1].startswith("  hint: ")


def test_a_small_mistake_is_forgiven_and_taught(indexed: Person) -> None:
    ran = indexed.lane("find", "zzzz", "--json")
    assert ran.code == 0
    assert ran.document["schema"] == "lane.search/1"
    assert ran.err == 'note: "find" is "search"\n'
    assert indexed.lane("s", "zzzz", "--json").err == ""
