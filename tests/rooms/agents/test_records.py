"""One physical line, whatever is in it, becomes records or says why not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memlane.agents.agent import Line
from memlane.agents.records import BrokenRecordError, inner, moment, number, plain, records, sequence, text


def of(data: bytes) -> list[dict[str, Any]]:
    return [dict(record) for record in records(Line(1, data))]


def reason(data: bytes) -> str:
    with pytest.raises(BrokenRecordError) as refused:
        of(data)
    return str(refused.value)


def test_one_object_is_one_record_and_an_empty_line_none() -> None:
    assert of(b' {"a":1}\r') == [{"a": 1}]
    assert of(b"") == of(b"  \t ") == []


@pytest.mark.parametrize("glue", [b"", b" ", b"\t\r"])
def test_objects_glued_together_are_all_there(glue: bytes) -> None:
    assert of(b'{"a":1}' + glue + b'{"b":{"c":"}{"}}' + glue + b'{"d":2}') == [
        {"a": 1},
        {"b": {"c": "}{"}},
        {"d": 2},
    ]


def test_a_glued_half_object_spoils_the_line() -> None:
    assert reason(b'{"a":1}{"b":').startswith("not JSON")


@pytest.mark.parametrize("number_", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999"])
def test_numbers_that_are_none_are_refused(number_: bytes) -> None:
    assert "not JSON" in reason(b'{"a":' + number_ + b"}")


def test_an_integer_of_five_thousand_digits_is_refused_and_raises_nothing_else() -> None:
    assert reason(b'{"a":' + b"9" * 5000 + b"}").startswith("not JSON")


def test_a_wide_integer_is_kept() -> None:
    assert of(b'{"a":' + b"9" * 400 + b"}") == [{"a": int("9" * 400)}]


@pytest.mark.parametrize("opening", [b'{"a":', b'{"a":['])
def test_a_hundred_thousand_levels_are_refused(opening: bytes) -> None:
    assert "deep" in reason(opening * 100_000)


def test_invalid_utf_8_is_read_with_a_mark_in_its_place() -> None:
    assert of(b'{"a":"caf\xe9","b":"\xc0\xaf"}') == [{"a": "caf\ufffd", "b": "\ufffd\ufffd"}]


def test_a_byte_order_mark_is_not_content() -> None:
    assert of(b'\xef\xbb\xbf{"a":1}') == [{"a": 1}]


def test_utf_16_is_refused() -> None:
    assert reason('{"a":1}'.encode("utf-16")).startswith("not JSON")


@pytest.mark.parametrize(("line", "kind"), [(b"[1]", "list"), (b'"x"', "str"), (b"7", "int"), (b"null", "NoneType")])
def test_what_is_no_object_says_what_it_is(line: bytes, kind: str) -> None:
    assert kind in reason(line)


def test_separators_that_only_look_like_newlines_stay_inside() -> None:
    assert of('{"a":"x\u2028y\\fz"}'.encode()) == [{"a": "x\u2028y\fz"}]


def test_the_last_of_two_equal_keys_wins() -> None:
    assert of(b'{"a":1,"a":2}') == [{"a": 2}]


def test_a_lone_surrogate_becomes_writable() -> None:
    (record,) = of(rb'{"a":"x\ud83dy"}')
    assert text(record["a"]).replace("\ufffd", "") == "xy"
    text(record["a"]).encode()
    assert text("\U0001f600") == "\U0001f600"


def test_a_nul_does_not_hide_what_follows() -> None:
    (record,) = of(rb'{"a":"x\u0000y"}')
    assert text(record["a"]) == "x\ufffdy"


@pytest.mark.parametrize("value", [None, 7, True, ["x"], {"a": "x"}])
def test_what_is_no_text_is_empty(value: object) -> None:
    assert text(value) == ""


def test_true_is_no_number() -> None:
    assert (number(True), number(7), number("7"), number(7.5)) == (0, 7, 0, 0)
    assert sequence({"a": 1}) == ()


def test_json_in_a_string_is_read_and_anything_else_is_nothing() -> None:
    assert inner('{"a":[1]}') == {"a": [1]}
    assert inner(r'{"a":"\ud83d"}') == {"a": "\ud83d"}
    assert [inner(each) for each in ("{", "", '{"a":' * 100_000, '{"a":NaN}', None, 7)] == [None] * 6


def test_values_made_plain_can_be_stored_anywhere() -> None:
    deep: Any = "\ud83d\0"
    for _ in range(500):
        deep = {"\0": [deep]}
    stored = json.dumps(plain({"deep": deep, "wide": 10**400, "kept": [1, None, True, 2.5, {}, []]}))
    stored.encode()
    assert "\\u0000" not in stored
    assert stored.count("{") < 64
    assert '"kept": [1, null, true, 2.5, {}, []]' in stored
    assert f'"wide": "{10**400}"' in stored


def test_moments_have_a_zone_whatever_they_are_written_as() -> None:
    noon = datetime(2026, 7, 4, 12, tzinfo=UTC)
    seconds = int(noon.timestamp())
    for value in ("2026-07-04T12:00:00Z", "2026-07-04T12:00:00", "2026-07-04T14:00:00+02:00", seconds, seconds * 1000):
        assert moment(value) == noon


EDGES = ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+23:59")


@pytest.mark.parametrize("value", [None, True, "", "soon", [], 10**400, -(10**30), float(10**300), *EDGES])
def test_what_is_no_moment_is_none(value: object) -> None:
    assert moment(value) is None
