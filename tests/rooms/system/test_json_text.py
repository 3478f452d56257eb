"""JSON as text: what is added can be taken out again, and nothing else moves."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.system import json_text
from memlane.system.json_text import NotJsonError

plain = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6)
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
)
objects = st.dictionaries(st.text(max_size=5), values, max_size=4)
spaces = st.sampled_from(["", " ", "\n", "\t", "\r\n", "  \n   "])


@st.composite
def written(draw: st.DrawFn, value: st.SearchStrategy[object] = objects) -> str:
    """A value as somebody might have typed it: any white space wherever JSON allows some."""

    def put(item: object) -> str:
        gap = draw(spaces)
        if isinstance(item, dict):
            inside = ",".join(f"{draw(spaces)}{json.dumps(k)}{gap}:{put(v)}{draw(spaces)}" for k, v in item.items())
            return f"{gap}{{{inside or draw(spaces)}}}"
        if isinstance(item, list):
            return f"{gap}[{','.join(put(v) + draw(spaces) for v in item) or draw(spaces)}]"
        return gap + json.dumps(item, ensure_ascii=draw(st.booleans()))

    return put(draw(value)) + draw(spaces)


@given(written(), st.text(max_size=5), values)
def test_a_key_that_was_added_is_there_and_everything_else_is_as_before(text: str, key: str, value: object) -> None:
    before = json_text.read(text.encode())
    after = before.put((key,), value)
    assert after.value == {**before.value, key: value}
    assert json.loads(after.text) == after.value


@given(written(), values)
def test_taking_out_what_was_added_gives_back_the_same_text(text: str, value: object) -> None:
    before = json_text.read(text.encode())
    after = before.put(("not there before",), value).without("not there before")
    assert after.value == before.value
    if before.value:
        assert after.text == before.text


@given(written(st.fixed_dictionaries({"hooks": st.fixed_dictionaries({"Stop": st.lists(values, max_size=3)})})), values)
def test_what_is_appended_to_a_list_comes_last_and_goes_without_a_trace(text: str, value: object) -> None:
    before = json_text.read(text.encode())
    groups = before.get("hooks", "Stop")
    assert isinstance(groups, list)
    after = before.append(("hooks", "Stop"), value)
    assert after.get("hooks", "Stop") == [*groups, value]
    again = after.without("hooks", "Stop", len(groups))
    assert again.value == before.value
    if groups:
        assert again.text == before.text


@given(written(), st.data())
def test_taking_out_any_key_leaves_the_others(text: str, data: st.DataObject) -> None:
    before = json_text.read(text.encode())
    if before.value:
        key = data.draw(st.sampled_from(sorted(before.value)))
        assert before.without(key).value == {k: v for k, v in before.value.items() if k != key}


def test_of_two_equal_keys_the_last_one_counts() -> None:
    document = json_text.read(b'{"a": {"x": 1}, "b": 2, "a": {"y": 3}}')
    assert document.put(("a", "z"), 4).value["a"] == {"y": 3, "z": 4}


def test_lines_end_and_indent_as_in_the_rest_of_the_file() -> None:
    text = json_text.read(b'{\r\n\t"a": 1\r\n}').put(("b", "c"), 2).text
    assert text == '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}'


def test_a_byte_order_mark_stays() -> None:
    assert json_text.read(b"\xef\xbb\xbf{}").put(("a",), 1).data.startswith(b"\xef\xbb\xbf{")


@pytest.mark.parametrize("data", [b"", b" \n"])
def test_an_empty_file_is_an_empty_object(data: bytes) -> None:
    assert json_text.read(data).value == {}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{\n "a": 1,\n "hooks": {oops\n}\n', 'line 3, after "hooks"'),
        (b'{\n// mine\n"a": 1}', "line 2"),
        (b'{"a": NaN}', "NaN"),
        (b"[]", "not a JSON object"),
        (b'{"a": \n"\xff"}', "line 2: not UTF-8"),
        (b'{"a":' * 600 + b"1" + b"}" * 600, "nested too deeply"),
    ],
)
def test_what_an_agent_could_not_read_is_named_with_its_line(data: bytes, said: str) -> None:
    with pytest.raises(NotJsonError, match=said):
        json_text.read(data)


def test_a_list_where_an_object_should_be_is_left_alone() -> None:
    with pytest.raises(NotJsonError, match="hooks"):
        json_text.read(b'{"hooks": []}').append(("hooks", "Stop"), {})
    with pytest.raises(NotJsonError, match=r"hooks\.Stop"):
        json_text.read(b'{"hooks": {"Stop": {}}}').append(("hooks", "Stop"), {})
