"""`ship.mask` and the policy that demands it, with a real Central: no secret in any byte of its home."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from memlane.gate import Gate
from tests.acceptance.central import Central, archived, machine, serving
from tests.acceptance.command_line import Person

EVERY = 9  # of the gate's kinds of secrets
CODEX = "01a1e12e-0000-7aaa-8aaa-000000000001"


def done(person: Person, *arguments: str, code: int = 0) -> Any:
    ran = person.lane(*arguments, "--json")
    assert ran.code == code, ran
    return ran.error if code and not ran.out else ran.data


def planted(seed: int) -> dict[str, str]:
    """Text with a secret in it → the secret."""
    made = [sample for _rule, sample in Gate().samples(seed) if "\n" not in sample.text]
    return {sample.text: sample.secret for sample in made[::EVERY]}


def key_block(seed: int) -> str:
    return next(sample.text for rule, sample in Gate().samples(seed) if rule == "private-key")


def codex_run(person: Person, said: str) -> None:
    path = person.home / ".codex/sessions/2026/11/15" / f"rollout-2026-11-15T10-00-00-{CODEX}.jsonl"
    path.parent.mkdir(parents=True)
    meta = {"id": CODEX, "timestamp": "2026-11-15T10:00:00.000Z", "cwd": "/home/dev/shop"}
    user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]}
    told = {"type": "user_message", "message": said}
    kinds = [("session_meta", meta), ("response_item", user), ("event_msg", told)]
    lines = [{"timestamp": "2026-11-15T10:00:01.000Z", "type": kind, "payload": one} for kind, one in kinds]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def side_file(person: Person, name: str, text: str) -> None:
    path = person.home / ".claude/projects/-shop" / name / "tool-results" / "out.txt"
    path.parent.mkdir(parents=True)
    path.write_text(text)


def found_in(central: Central, secrets: list[str]) -> list[str]:
    """Those that stand in any file of Central's home, as they are or as JSON writes them."""
    kept = b"\n".join(path.read_bytes() for path in sorted(central.person.home.rglob("*")) if path.is_file())
    return [one for one in secrets if one.encode() in kept or json.dumps(one)[1:-1].encode() in kept]


def test_under_a_policy_masked_bytes_leave_and_no_others(tmp_path: Path) -> None:
    with serving(tmp_path / "central") as central:
        _masked_bytes_leave_and_no_others(central, machine(tmp_path / "ann", "laptop", "ann"))


def _masked_bytes_leave_and_no_others(central: Central, ann: Person) -> None:
    done(central.person, "policy", "set", "--mask")
    code = central.invite("ann")
    asked = ann.lane("join", central.url, "--code", code)
    assert (asked.code, "secrets are masked before anything is sent" in asked.err) == (2, True)
    done(ann, "join", central.url, "--code", code, "--yes")

    texts, later, block = planted(1), planted(2), key_block(1)
    secrets = [*texts.values(), *later.values(), *block.split("\n")[1:-1]]
    said = [f"look at the blue notebook: {text}" for text in texts]
    ann.claude_run("one", *said[::2])
    side_file(ann, "one", "\n".join(["what it printed", block, *texts]))
    codex_run(ann, "\n".join(said[1::2]))
    assert len(done(ann, "capture")) == 2
    first = done(ann, "ship", "--now")
    assert (len(first["runs"]), first["conflicts"], first["damaged"]) == (2, [], [])
    assert found_in(central, secrets) == []
    held = central.archive("ann")
    assert next(data for name, data in held.items() if "/files/" in name).startswith(b"what it printed\n[masked: ")

    # the rest is there, and found
    done(central.person, "work", "--once")
    hits = done(ann, "search", "blue notebook")
    assert {hit["agent"] for hit in hits} == {"claude-code", "codex"}

    # a run that goes on is continued, behind what is there
    ann.claude_run("one", *said[::2], *(f"and then {text}" for text in later))
    done(ann, "capture")
    second = done(ann, "ship", "--now")
    assert (len(second["runs"]), second["conflicts"], second["damaged"]) == (1, [], [])
    assert found_in(central, secrets) == []
    grown = central.archive("ann")
    for name, data in held.items():
        if name.endswith(".raw"):
            assert grown[name].startswith(data)
    assert sum(map(len, grown.values())) > sum(map(len, held.values()))

    # the copy is deleted and made again: the same bytes, and nothing is sent twice
    shutil.rmtree(ann.lane_home / "masked")
    again = done(ann, "ship", "--now", "--check")
    assert (again["bytes"], again["conflicts"], again["damaged"]) == (0, [], [])
    assert central.archive("ann") == grown
    here = b"\n".join(archived(ann, "ann").values())  # the machine's own archive has what was found
    assert all(json.dumps(one)[1:-1].encode() in here for one in texts.values())

    # what is forgotten for good leaves the copy at once
    run = second["runs"][0]
    done(ann, "forget", run, "--now", "--yes")
    assert [path for path in (ann.lane_home / "masked").rglob("*") if run in str(path)] == []


def test_a_run_that_was_sent_as_found_is_not_continued_masked(tmp_path: Path) -> None:
    (text, secret), *_more = planted(3).items()
    with serving(tmp_path / "central") as central:
        ben = machine(tmp_path / "ben", "laptop", "ben")
        done(ben, "join", central.url, "--code", central.invite("ben"))
        ben.claude_run("open", f"look at {text}")
        ben.claude_run("plain", "where is the blue notebook")
        done(ben, "capture")
        assert len(done(ben, "ship", "--now")["runs"]) == 2
        before = central.archive("ben")

        done(ben, "config", "set", "ship.mask", "true")
        ben.claude_run("open", f"look at {text}", f"and again at {text}")
        ben.claude_run("plain", "where is the blue notebook", f"beside {text}")
        done(ben, "capture")
        ran = ben.lane("ship", "--now", "--json")
        assert (ran.code, len(ran.data["runs"])) == (6, 1)  # the other one had nothing to mask until now
        (conflict,) = ran.data["conflicts"]
        assert "before masking" in conflict
        after = central.archive("ben")
        assert {name: data for name, data in after.items() if secret.encode() in data} == {
            name: data for name, data in before.items() if secret.encode() in data
        }
        assert done(ben, "ship")["stopped"] is None
        assert "1 run is kept back" in ben.lane("doctor").out

        done(ben, "config", "set", "ship.mask", "false")  # as a person decides who takes it back
        assert done(ben, "ship", "--now")["conflicts"] == []
