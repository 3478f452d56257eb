"""A home full of hostile text, and every exit of it: what a hook, MCP, a page, the API and a terminal then emit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any, cast

import pytest

from memlane.app import Lane
from memlane.app.control import Role
from memlane.domain import Entry, Mention, RunFilter, Scope, State, Type
from memlane.domain.journal import MEMORY
from memlane.flow.journal import write_down
from memlane.storage import memory_data
from memlane.surfaces.daemon.current_lane import printed
from memlane.surfaces.mcp import AgentDesk
from memlane.surfaces.mcp.protocol import answered
from memlane.surfaces.mcp.tools import TOOLS
from memlane.surfaces.web.routes import PAGES, twins
from tests.acceptance.command_line import Person
from tests.flow.homes import a_lane, answer, called, prompt, returned, said, transcript, write
from tests.hostile import HOSTILE, PIECES, PLACEHOLDER, hidden, obeyed, tags
from tests.rooms.api.http_home import PARTS, served
from tests.rooms.app.memories import a_memory, evidence

pytestmark = pytest.mark.fault("E14", "E15", "I3a", "I8a")
ASKED = "how are deploys of the shop explained, with entire explain?"
NAMES = ("m_aaaaaaaaaaaaa", "m_bbbbbbbbbbbbb")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Runs, memories, names and tags, all of them as somebody else would like them to be."""
    records = [
        prompt(f"how do deploys of the shop go? {HOSTILE}", 1, "/home/dev/app", gitBranch=HOSTILE),
        answer([called("Bash", {"command": f"make ship {HOSTILE}", "file_path": f"/home/dev/app/{HOSTILE[:60]}"})], 2),
        returned(f"shop: deployed {HOSTILE}", n=3),
        answer([said(f"Deploys of the shop are done. {HOSTILE}")], 4),
    ]
    write(transcript(tmp_path), records)
    with a_lane(tmp_path, PATH="/usr/bin:/bin") as lane:
        lane.capture.sweep()
        (run,) = lane.runs.select(RunFilter())
        tell(lane, run.id)
        lane.runs.labels.title(run.id, f"Deploys of the shop {HOSTILE[:120]}")
        lane.recall.keep(lane.recall.asked(ASKED, Path("/")))
    return tmp_path


def tell(lane: Lane, run: str) -> None:
    """As another Machine's journal may hold them: no check of ours was asked."""
    known: dict[str, Any] = {
        "title": f"Deploys of the shop are explained with {HOSTILE}",
        "content": f"Deploys of the shop are explained with {HOSTILE}\n{HOSTILE}",
        "evidence": (evidence(HOSTILE, run),),
        "reasoning": HOSTILE,
        "category": HOSTILE,
        "scope": Scope.GLOBAL,
        "confidence": 95,
        "related_entities": (
            Mention("person", f"Adam {HOSTILE[:60]}", "adam", resolved=True),
            Mention("file", "a.py", "a.py"),
        ),
    }
    active = a_memory(NAMES[0], **known, state=State.ACTIVE, always=True)
    held = a_memory(NAMES[1], **{**known, "type": Type.LEARNING}, state=State.HELD)
    lane.home.begin()
    at, machine = lane.home.clock(), lane.config.machine
    write_down(
        [Entry(MEMORY, m.id, at, "ann", machine, "lane", memory_data(m)) for m in (active, held)], lane.home.tools()
    )


def harmless(text: str) -> None:
    """One fence of ours or none, every other tag escaped, nothing hidden, the placeholder still there to be read."""
    assert hidden(text) == []
    assert tags(text) == (2 if text.startswith("<lane-memory") else 0), text


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in cast(Mapping[str, object], value).items():
            yield from (key, *strings(inner))
    elif isinstance(value, list):
        for inner in cast(list[object], value):
            yield from strings(inner)


# -- hooks -------------------------------------------------------------------------------------------------------------


def test_every_field_of_a_hooks_answer(folder: Path) -> None:
    told = dict[str, Any]()
    with a_lane(folder) as lane:
        for n, event in enumerate(("SessionStart", "UserPromptSubmit")):
            given = {"session_id": f"s{n}", "cwd": "/home/dev/app", "prompt": ASKED, "source": "startup"}
            told[event] = json.loads(printed(lane.recall.hooked("claude-code", event, given)))
    for answer_ in told.values():
        for text in strings(answer_):
            harmless(text)
        assert PLACEHOLDER.replace("<", "&lt;") in answer_["hookSpecificOutput"]["additionalContext"]
    assert "Lane: 1 standing rule" in told["UserPromptSubmit"]["systemMessage"]  # of a run whose start was lost


# -- MCP ---------------------------------------------------------------------------------------------------------------

CALLS: Mapping[str, Mapping[str, object]] = {
    "search": {"query": "deploys of the shop"},
    "recall": {"prompt": ASKED},
    "remember": {"text": f"Deploys need a ticket. {PLACEHOLDER}", "title": HOSTILE[:150]},
    "forget": {"memory": NAMES[0], "because": HOSTILE[:400]},
    "share": {"what": NAMES[0], "whom": "jo", "because": HOSTILE[:400]},
    "standing": {"memory": NAMES[0], "said": HOSTILE[:400], "on": False},
    "feedback": {"memory": NAMES[0], "verdict": "up"},
    "record_outcome": {"outcome": "success"},
    "read_run": {"run": "RUN"},
    "entities": {"name": HOSTILE[:150]},
    "catch_next": {},
    "catch_submit": {"token": "w_aaaaaaaaaaaaa", "memories": [HOSTILE]},
}


def test_every_tool_and_resource_of_mcp(folder: Path) -> None:
    assert CALLS.keys() == TOOLS.keys()
    with a_lane(folder) as lane:
        lane.control.codes.invite_person("jo", Role.MEMBER)  # there is somebody to share with
        run = lane.runs.select(RunFilter())[0].id
        desk = AgentDesk(lambda: lane, Path("/home/dev/app"), "claude-code")
        asked = [("tools/call", {"name": name, "arguments": _of(run, given)}) for name, given in CALLS.items()]
        asked += [("resources/read", {"uri": uri}) for uri in (f"memory://{NAMES[0]}", f"run://{run}", HOSTILE)]
        asked += [("resources/list", {}), ("tools/list", {}), (HOSTILE, {}), ("tools/call", {"name": HOSTILE})]
        asked += [("tools/call", {"name": name, "arguments": {HOSTILE[:80]: HOSTILE}}) for name in TOOLS]
        for n, (method, params) in enumerate(asked):
            reply = answered({"jsonrpc": "2.0", "id": n, "method": method, "params": params}, desk).reply
            for text in strings(reply):
                if "<lane-window" in text:
                    _a_window(text)
                else:
                    harmless(text)


def _of(run: str, given: Mapping[str, object]) -> dict[str, object]:
    return {name: run if value == "RUN" else value for name, value in given.items()}


def _a_window(text: str) -> None:
    """It has fences of its own: one with the nonce, and what tools printed, each opened and closed once."""
    nonce = re.findall(r'<lane-window nonce="(\w+)">', text)
    assert len(nonce) == 1
    inside = text.partition(f'<lane-window nonce="{nonce[0]}">')[2].rpartition(f'</lane-window nonce="{nonce[0]}">')[0]
    bare = re.sub(r"<tool-output>([^<]*)</tool-output>", r"\1", inside)
    assert (tags(bare), hidden(bare)) == (0, [])
    assert "&lt;system-reminder>" in bare


# -- pages and the API -------------------------------------------------------------------------------------------------


def test_every_page_its_twin_and_the_api(folder: Path) -> None:
    with a_lane(folder) as lane:
        named = {**PARTS, "run": lane.runs.select(RunFilter())[0].id, "memory": NAMES[0]}
    paths = [page.path for page in PAGES] + [route.path for route in twins()]
    paths += ["/api/runs", "/api/runs/{run}", "/api/memories/{memory}", "/api/search?q=shop", "/api/memories"]
    paths += ["/search?q=deploys", "/memories?state=held", "/lane/try?prompt=deploys+of+the+shop"]
    shown = 0
    with served(folder) as http:
        for path in paths:
            told = http.ask("GET", re.sub(r"\{(\w+)\}", lambda found: named[found[1]], path), accept="text/html")
            text = told.body.decode()
            assert hidden(text) == [], path
            assert "<system-reminder>" not in text or told.headers["content-type"].startswith("application/json"), path
            shown += PLACEHOLDER in unescape(text)
        assert http.log == []
    assert shown > 8


# -- a terminal --------------------------------------------------------------------------------------------------------

COMMANDS = (
    *("status", "runs", "tree", "recalls", "why", "logs", "doctor", "skills", "mem list", "mem list --state held"),
    *(
        "mem show MEMORY",
        "mem history MEMORY",
        "show RUN",
        "search deploys",
        "similar RUN",
        "edits a.py",
        "entity list",
    ),
    *(
        "entity show adam",
        f"recall {ASKED}",
        "dream --plan",
        "undo --list",
        "config",
        "mem pause MEMORY",
        "undo",
        "tag RUN",
    ),
    *("forget RUN --dry-run", f"title RUN {PIECES[1]}", f"show {PIECES[1]}", f"search {PIECES[4]}", f"{PIECES[4]}"),
    *("catch --estimate", "exclude", "archive verify", f"remember {PLACEHOLDER} for shop deploys", "mem list"),
)
FORMS = ((), ("--json",))


def test_every_command_in_a_pipe_and_on_a_screen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = {"LANE_HOME": str(folder / "lane"), "LANE_USER": "ann", "LANE_MACHINE": "desk"}
    for name, value in home.items():
        monkeypatch.setenv(name, value)
    person = Person(folder / "home", home, quick=True)
    with a_lane(folder) as lane:
        names = {"RUN": lane.runs.select(RunFilter())[0].id, "MEMORY": NAMES[0]}
    readable = 0
    for command in COMMANDS:
        words = [names.get(word, word) for word in command.split(" ")]
        for form in FORMS:
            told = person.lane(*words, *form, CLICOLOR_FORCE="1")
            assert obeyed(told.out + told.err) == [], (command, form)
            readable += PLACEHOLDER in told.out
        assert obeyed(person.on_screen(*words, columns=200).out.replace("\x1b[K", "")) == [], command
    assert readable > 8
