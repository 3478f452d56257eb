"""What the hook's script takes out of an agent's JSON without reading it, and which paths it asks about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.app.home.paths import listed
from memlane.surfaces.hooks.client import is_listed, of_a_known_tool, stands_in, string_in

words = st.text(max_size=40)
LISTED = listed(["src/mail/send.py", "makefile", "/etc/hosts"], [("person", Path("/home/ann/People"))])


@given(
    st.fixed_dictionaries({"cwd": words, "tool_input": st.fixed_dictionaries({"content": words, "file_path": words})})
)
def test_a_string_is_found_as_it_stands_whatever_the_others_say(given: dict[str, object]) -> None:
    for spaced in (json.dumps(given), json.dumps(given, separators=(",", ":"), ensure_ascii=False)):
        raw = spaced.encode("utf-8", "surrogatepass")
        for key, inside in (("cwd", given), ("file_path", given["tool_input"]), ("content", given["tool_input"])):
            assert isinstance(inside, dict)
            found = string_in(raw, key.encode())
            assert json.loads(b'"' + found + b'"') == inside[key]


def test_a_key_inside_another_string_is_not_one() -> None:
    raw = json.dumps({"content": '"file_path":"/wrong"', "file_path": "/right"}, separators=(",", ":")).encode()
    assert string_in(raw, b"file_path") == b"/right"
    assert string_in(b'{"file_path":"never ended', b"file_path") == b""


@pytest.mark.parametrize(
    "path",
    [
        "/home/ann/shop/src/mail/send.py",
        "/home/ann/shop/SRC/Mail/send.py",
        "/home/ann/shop/Makefile",
        "/etc/hosts",
        "/home/ann/people/brown-neal.md",
        "/home/ann/People/old/gone.md",
        "/home/ann/with \\u00e9scape.py",
    ],
)
def test_a_path_with_memories_is_asked_about(path: str) -> None:
    assert is_listed(path.encode(), LISTED)


@pytest.mark.parametrize(
    "path", ["/home/ann/shop/src/mail/send.pyc", "/home/ann/shop/mail/send.py", "/x/etc/hosts2", "/home/ann/People", ""]
)
def test_any_other_is_not(path: str) -> None:
    assert not is_listed(path.encode(), LISTED)


def test_without_a_list_the_daemon_decides_and_with_an_empty_one_nobody_is_asked() -> None:
    assert is_listed(b"/a/b.py", b"")
    assert not is_listed(b"/a/b.py", listed([], []))


def test_only_what_is_needed_is_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paths").write_bytes(LISTED)
    told = {"session_id": "s", "transcript_path": "/t", "cwd": "/home/ann/shop", "tool_name": "Read"}
    read = {
        **told,
        "tool_input": {"file_path": "/home/ann/shop/src/mail/send.py"},
        "tool_response": {"content": "long"},
    }
    asked = json.loads(of_a_known_tool(json.dumps(read).encode()))
    assert asked == {
        "session_id": "s",
        "transcript_path": "/t",
        "cwd": "/home/ann/shop",
        "tool_name": "Read",
        "tool_input": {"file_path": "/home/ann/shop/src/mail/send.py"},
    }
    other = {**read, "tool_input": {"file_path": "/home/ann/shop/src/mail/read.py"}}
    assert of_a_known_tool(json.dumps(other).encode()) == b""
    assert json.loads(of_a_known_tool(json.dumps(other).encode(), "droid")) == told
    assert of_a_known_tool(b"no json at all") == b""


@given(st.sets(st.text(st.characters(blacklist_characters="\n", blacklist_categories=["Cs"]), min_size=1), max_size=30))
def test_every_line_of_a_list_is_found_in_it_and_nothing_between_them(names: set[str]) -> None:
    lines = listed(sorted(names), [])
    known = set(lines.split(b"\n")[1:-1])
    assert all(stands_in(name, lines) for name in known)
    others = {name + b"!" for name in known} | {name[:-1] for name in known} | {b"", b"zzz"}
    assert not any(stands_in(name, lines) for name in others - known)


@given(st.binary(min_size=1, max_size=200))
def test_a_damaged_list_ends_the_look_and_what_is_cut_asks_the_daemon(names: bytes) -> None:
    is_listed(b"/home/ann/src/mail/send.py", names)  # it ends, whatever stands there
    assert is_listed(b"/elsewhere/unknown.py", LISTED[: len(LISTED) // 2])
    assert not is_listed(b"/elsewhere/unknown.py", LISTED)
