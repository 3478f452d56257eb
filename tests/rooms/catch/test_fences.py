"""A block that claims a language parses, or says why it does not."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memlane.catch.fences import blocks, broken, cannot_be_yaml
from tests.examples import examples


def fenced(language: str, text: str) -> str:
    return f"The settings are these:\n\n```{language}\n{text}\n```\n"


GOOD = (
    ("json", '{"retries": 3}'),
    ("json", "[1, 2]\n"),
    ("toml", 'retries = 3\n[a]\nb = "c"'),
    ("python", "def f() -> int:\n    return 3"),
    ("python", "    return 3  # cut out with its indentation\n".replace("return", "x =")),
    ("py", ">>> f(3)\n9\n>>> g()"),
    ("python", "async def f(): ..."),
    ("yaml", "retries: 3\nhosts:\n  - a\n  - b: 1\n    c: [1, 2]\n"),
    ("yml", "text: |\n  anything: goes: here\n  \t even this\nnext: 'it''s'\n"),
    ("yaml", '- name: it\'s fine\n  run: echo "a" && b\n  url: http://a.example/x\n'),
    ("yaml", "# only a comment\nkey: >-\n  folded\n  text\n"),
    ("yaml", "a: {b: 1, c: [2,\n  3]}\n"),
    ("jsonc", '{"a": 1, // fine\n}'),
    ("sh", "if then fi ("),
    ("", "{"),
    ("text", '{"retries": 3,'),
)
BAD = (
    ("json", '{"retries": 3,'),
    ("json", "{'retries': 3}"),
    ("JSON", "retries: 3"),
    ("toml", "retries = "),
    ("toml", "a = 1\na = 2"),
    ("python", "def f(:\n    pass"),
    ("py", "retun x y"),
    ("yaml", "a:\n\t- b"),
    ("yaml", "hosts: [a, b\nother: 1"),
    ("yml", 'name: "open\nother: 1'),
    ("yaml", "a: b: c"),
    ("yaml", "key: value\nword\nother: value"),
)


@pytest.mark.parametrize(("language", "text"), GOOD)
def test_what_parses_or_claims_nothing_passes(language: str, text: str) -> None:
    assert broken(fenced(language, text)) is None


@pytest.mark.parametrize(("language", "text"), BAD)
def test_what_does_not_parse_is_named(language: str, text: str) -> None:
    assert broken(fenced(language, text)) == language.lower()


@pytest.mark.parametrize(("language", "text"), BAD)
@pytest.mark.parametrize(
    "marked",
    [
        "This is wrong:\n\n```{language}\n{text}\n```",
        "Do not write it so:\n```{language}\n{text}\n```",
        "An excerpt of the file:\n```{language}\n{text}\n```",
        "```{language} wrong\n{text}\n```",
        "```{language} excerpt\n{text}\n```",
        "```{language}\n# wrong\n{text}\n```",
        "```{language}\n// excerpt\n{text}\n```",
        "```{language}\n{text}\n...\n```",
        "```{language}\n{text}\n  …\n```",
    ],
)
def test_a_block_shown_as_wrong_or_as_an_excerpt_is_kept(language: str, text: str, marked: str) -> None:
    assert broken(marked.format(language=language, text=text)) is None


def test_three_dots_inside_a_string_mark_nothing() -> None:
    assert broken(fenced("json", '{"says": "wait...",')) == "json"


def test_words_far_above_mark_nothing() -> None:
    assert broken("It was wrong once.\n\nThe settings now:\n\n```json\n{,\n```") == "json"


def test_the_second_block_is_looked_at_too_and_one_left_open_goes_on_to_the_end() -> None:
    assert broken('```json\n{"a": 1}\n```\nand then\n```toml\na =\n```') == "toml"
    assert broken("as follows\n```json\n{") == "json"


def test_a_longer_fence_holds_a_shorter_one() -> None:
    (only,) = blocks("````text\n```json\n{\n```\n````\n")
    assert only.language == "text"


@given(st.text(alphabet="`~ab:{}[]\"'\n -#|>\t,", max_size=80))
def test_no_text_breaks_the_look(text: str) -> None:
    broken(text)
    cannot_be_yaml(text)
    assert broken(f"```yaml\n{text}") in (None, "yaml", "json")


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=12)
    | st.sampled_from(["a: b", "it's", 'say "x"', "- y", "#"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.booleans(), st.sampled_from([None, "|", ">", '"', "'"]))
@example({"\x85": None}, False, None)  # a key of two lines
def test_what_a_writer_of_yaml_writes_is_never_called_broken(value: object, flow: bool, style: str | None) -> None:
    written = yaml.safe_dump(value, default_flow_style=flow, default_style=style, allow_unicode=True)
    assert not cannot_be_yaml(written)


KINDS_OF_LINE = """
a: b|c:|  d: e|- f|  - g: h|word|  more words|k: [1, 2]|l: [1,|  2]|m: "n|o"|p: 'q'|r: it's|# s: t: u|v: w # x: y|z: >
    any: thing: [||---|{a: b}|a: b: c|"a: b": c|- 'd: e'|? f|: g|h: {i: "j|k": l}|m: - n|o: "p" q|&r s: *r
"""
LINES = st.lists(
    st.sampled_from([line for row in KINDS_OF_LINE.strip("\n").split("\n") for line in row.split("|")]), max_size=7
)


@settings(max_examples=examples(75))
@given(LINES.map("\n".join))
def test_what_a_reader_of_yaml_reads_is_never_called_broken(text: str) -> None:
    try:
        list(yaml.safe_load_all(text))
    except yaml.YAMLError:
        return
    assert not cannot_be_yaml(text)
