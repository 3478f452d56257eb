"""A headless command: the question on its standard input, the answer out of what it prints, nothing left running."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from memlane.agents import Registry
from memlane.llm import Llm, LlmError, LlmSpec, Stop, llm
from tests.rooms.llm.worlds import question

INHERITED = {
    "CLAUDECODE": "1",
    "CLAUDE_CODE_ENTRYPOINT": "cli",
    "CLAUDE_CODE_SESSION_ID": "x",
    "CLAUDE_CODE_MESSAGING_TOKEN": "x",
    "CLAUDE_CODE_OAUTH_TOKEN": "kept",
}


def program(folder: Path, code: str, name: str = "reader") -> str:
    folder.mkdir(exist_ok=True)
    script = folder / name
    script.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{code}\n")
    script.chmod(0o755)
    return f"{script} -p"


def made(tmp_path: Path, code: str, *, name: str = "reader", timeout: float = 20.0, model: str = "") -> Llm:
    spec = LlmSpec("command", command=program(tmp_path / "bin", code, name), timeout=timeout, name=model)
    agents = Registry()
    variables = agents.outside_runs({"PATH": os.defpath, **INHERITED})
    return llm(spec, variables, tmp_path / "home" / "catch" / "asking", agents.headless)


def test_it_runs_in_our_folder_is_marked_as_ours_and_inherits_no_run(tmp_path: Path) -> None:
    reader = made(tmp_path, "print(json.dumps([os.getcwd(), dict(os.environ), sys.stdin.read(), sys.argv[1:]]))")
    cwd, variables, asked, words = json.loads(reader.ask(question("the window")).text)
    assert Path(cwd) == tmp_path / "home" / "catch" / "asking"
    assert variables["LANE_OFF"] == "1"
    assert sorted(set(variables) & set(INHERITED)) == ["CLAUDE_CODE_OAUTH_TOKEN"]
    assert asked == "You read.\n\nthe window"
    assert words == ["-p"]


CLAUDE = """
if "--safe-mode" in sys.argv and os.environ.get("OLD"):
    sys.exit("error: unknown option '--safe-mode'")
said = json.dumps({"argv": sys.argv[1:], "asked": sys.stdin.read()})
print(json.dumps({"type": "result", "is_error": False, "result": said, "total_cost_usd": 0.004,
    "stop_reason": "end_turn", "usage": {"input_tokens": 30, "cache_read_input_tokens": 12, "output_tokens": 5}}))
"""


def test_claude_code_is_told_to_keep_nothing_fire_no_hook_and_run_no_tool(tmp_path: Path) -> None:
    reply = made(tmp_path, CLAUDE, name="claude", model="haiku").ask(question("the window"))
    told = json.loads(reply.text)
    assert {"--safe-mode", "--no-session-persistence", "--strict-mcp-config"} <= set(told["argv"])
    assert told["argv"][told["argv"].index("--tools") + 1] == ""
    assert told["argv"][told["argv"].index("--model") + 1] == "haiku"
    assert told["asked"] == "the window"
    assert (reply.tokens_in, reply.tokens_out, reply.dollars) == (42, 5, 0.004)


def test_an_older_claude_code_is_asked_in_the_words_it_knows(tmp_path: Path) -> None:
    old = "os.environ['OLD'] = '1'\n" + CLAUDE
    told = json.loads(made(tmp_path, old, name="claude").ask(question("the window")).text)
    assert told["argv"] == ["-p", "--output-format", "json"]
    assert told["asked"] == "You read.\n\nthe window"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("sys.exit('not logged in')", "not logged in"),
        ("print(json.dumps({'type': 'result', 'is_error': True, 'result': 'credit is low'}))", "credit is low"),
        ("os.kill(os.getpid(), 9)", "exited with -9"),
        ("sys.stdout.write('x' * 10_000_000)", "more than 4 MiB"),
    ],
)
def test_a_command_that_fails_is_an_error_with_its_words(tmp_path: Path, code: str, said: str) -> None:
    with pytest.raises(LlmError, match=said):
        made(tmp_path, code).ask(question())


def test_a_command_that_is_not_there_is_named_and_costs_nothing(tmp_path: Path) -> None:
    with pytest.raises(LlmError, match="cannot be run") as caught:
        llm(LlmSpec("command", command="/nowhere/claude -p"), {}, tmp_path).ask(question())
    assert caught.value.free


def test_a_command_that_hangs_is_ended_with_all_its_children(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    code = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(mark)!r}, "w").write(str(child.pid))
time.sleep(60)
"""
    with pytest.raises(LlmError, match="took longer than 1 s"):
        made(tmp_path, code, timeout=1.0).ask(question())
    pid = int(mark.read_text())
    for _ in range(200):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]:
            return
        time.sleep(0.01)
    pytest.fail("a child is left")


def test_a_command_that_does_not_read_its_question_is_no_trouble(tmp_path: Path) -> None:
    reader = made(tmp_path, "print('{\"memories\": []}')")
    reply = reader.ask(question("x" * 3_000_000))
    assert (reply.text.strip(), reply.stop) == ('{"memories": []}', Stop.END)
    assert reader.price is None
