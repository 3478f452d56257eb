"""How exports are unpacked: objects cut out byte for byte, zips that cannot do harm, memory bounded by one of them."""

from __future__ import annotations

import json
import zipfile
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.agents.exports.chatgpt import CHATGPT
from memlane.agents.exports.export import kinds_in
from memlane.agents.exports.huggingchat import HUGGINGCHAT
from memlane.agents.exports.objects import ALWAYS, Objects, parts
from memlane.errors import DamagedError
from tests.examples import examples
from tests.rooms.agents.chats import export, fixture, taken, zipped

OLD = "chatgpt/2023-edited-and-regenerated.json"
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('ab"\\{}[],:\n é'), max_size=12),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=4), inside, max_size=3),
    max_leaves=10,
)


def in_pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


@settings(max_examples=examples(75), deadline=None)
@given(st.lists(VALUES, max_size=5), st.sampled_from([None, 1]), st.integers(1, 40))
def test_each_object_is_cut_out_whatever_the_pieces(values: list[Any], indent: int | None, size: int) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=False).encode()
    cuts = list(Objects(in_pieces(data, size)))
    wanted = [each for value in values for each in objects_in(value)]
    assert [json.loads(cut.data) for cut in cuts] == wanted
    assert [cut.n for cut in cuts] == list(range(1, len(cuts) + 1))
    assert all(cut.data in data for cut in cuts)


def objects_in(value: Any) -> Iterator[Any]:
    """Objects, also those in lists, but not those in other objects."""
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from objects_in(each)


@settings(max_examples=examples(50), deadline=None)
@given(st.binary(max_size=200), st.integers(1, 20))
def test_no_bytes_break_the_cutting(data: bytes, size: int) -> None:
    assert list(Objects(in_pieces(data, size))) == list(Objects([data]))


def test_an_object_that_is_too_large_is_named_and_the_next_is_cut() -> None:
    data = b'[{"a":"' + b"x" * 5000 + b'"},{"b":1}]'
    large, small = Objects(in_pieces(data, 100), largest=1000)
    assert (large.data, large.size, large.reason) == (b"", 5008, "5,008 bytes; the largest we take is 1,000")
    assert small.data == b'{"b":1}'


def test_a_file_that_ends_in_the_middle_keeps_what_was_whole() -> None:
    whole, half = Objects([b'[{"a":1},{"b":', b'"}'])
    assert (whole.data, half.data, half.reason) == (b'{"a":1}', b"", "the file ends in the middle of it")


def test_files_that_share_their_packed_bytes_do_not_each_start_anew(tmp_path: Path) -> None:
    filler = b'[{"mapping":{},"id":"1"},"' + b" " * (ALWAYS * 3 // 4) + b'"]'
    path = zipped(tmp_path / "many.zip", one=filler, two=filler)
    with pytest.raises(DamagedError, match="far more than an export"):
        deque(piece for part in parts(path) for piece in part.pieces())


def test_a_zip_in_a_zip_stays_shut(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", conversations=[fixture(OLD)])
    outer = tmp_path / "outer.zip"
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(inner, "conversations.json.zip")
        archive.write(inner, "conversations.json")
    assert taken(CHATGPT, outer) == ([], [])


def test_a_way_of_packing_that_may_ask_for_gigabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("conversations.json", "[]")
    with pytest.raises(DamagedError, match="packed in a way we do not read"):
        list(CHATGPT.documents(path))


def test_a_damaged_zip_says_so(tmp_path: Path) -> None:
    path = zipped(tmp_path / "export.zip", conversations=[fixture(OLD)])
    whole = path.read_bytes()
    path.write_bytes(whole[:60] + bytes(40) + whole[100:])
    with pytest.raises(DamagedError, match="damaged"):
        list(CHATGPT.documents(path))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DamagedError, match="cannot be opened"):
        list(CHATGPT.documents(path))


def test_names_in_a_zip_lead_nowhere(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    path = inside / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../conversations.json", json.dumps([fixture(OLD)]))
    documents, _ = taken(CHATGPT, path)
    assert len(documents) == 1
    assert sorted(tmp_path.rglob("*")) == [inside, path]


def test_what_a_file_is_its_content_says(tmp_path: Path) -> None:
    kinds = [CHATGPT, HUGGINGCHAT]
    assert kinds_in(export(tmp_path / "a.txt", fixture(OLD)), kinds) == [CHATGPT]
    assert kinds_in(export(tmp_path / "b", fixture("huggingchat/legacy.json")), kinds) == [HUGGINGCHAT]
    both = zipped(tmp_path / "c", one=[fixture("huggingchat/legacy.json")], two=[{"x": 1}, fixture(OLD)], user={})
    assert kinds_in(both, kinds) == [HUGGINGCHAT, CHATGPT]
    assert kinds_in(export(tmp_path / "d", {"email": "someone@example.org"}), kinds) == []
