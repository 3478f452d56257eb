"""The words everything is looked up by, and the ids everything is known by."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.domain import Machine, derived_id, random_id, run_id
from memlane.domain.delta import ANCHOR, anchor_of
from memlane.domain.tokenizer import LONGEST_TERM, MOST_KNOWN, counted, stem, terms
from tests.examples import examples


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("src/shop/cart.py", {"src/shop/cart.py", "src", "shop", "cart", "py"}),
        ("parseConfigFile", {"parseconfigfile", "parse", "config", "file"}),
        ("LANE_HOME", {"lane_home", "lane", "home"}),
        ("E0425", {"e0425"}),
        ("user@host:22", {"user@host:22", "user", "host", "22"}),
        ("don't", {"don", "t"}),
        ("日本語", {"日本", "本語"}),
        ("字", {"字"}),
        ("Größe", {"größe"}),
    ],
)
def test_a_word_is_found_whole_and_by_its_parts(text: str, wanted: set[str]) -> None:
    assert set(terms(text)) == wanted


def test_plurals_are_one_word_and_other_words_stay_two() -> None:
    assert stem("packages") == stem("package")
    assert stem("libraries") == stem("library")
    assert stem("addresses") == stem("address")
    assert stem("indexes") == stem("index")
    for word in ("class", "status", "analysis", "bus", "is"):
        assert stem(word) == word


@settings(max_examples=examples(75), deadline=None, derandomize=True)
@given(text=st.text(max_size=200))
def test_terms_are_short_lower_case_and_without_blanks(text: str) -> None:
    for term in terms(text):
        assert 0 < len(term) <= LONGEST_TERM
        assert term == term.lower() or not term.isascii()
        assert not re.search(r"\s", term)


@settings(max_examples=examples(50), deadline=None, derandomize=True)
@given(text=st.text(max_size=100), other=st.text(max_size=100))
def test_a_text_has_the_terms_of_its_parts(text: str, other: str) -> None:
    assert [*terms(text), *terms(other)] == list(terms(f"{text} {other}"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("parse_args and parseArgs", ["parse_args", "parse", "arg", "and", "parsearg", "parse", "arg"]),
        ("x" * 65 + "_logs", ["log"]),
        ("foo._bar __init__ a__b", ["foo._bar", "foo", "bar", "init__", "a__b", "a", "b"]),
        ("•foo—bar_s café.py ½²", ["foo", "bar_s", "bar", "s", "café.py", "½²"]),
        ("v2.日本-x", ["v2.", "日本", "-x"]),
    ],
)
def test_terms_stand_in_the_order_of_the_text(text: str, wanted: list[str]) -> None:
    assert list(terms(text)) == wanted


def test_wanted_terms_are_counted_and_all_of_them_for_the_length() -> None:
    text = "Logs: the log_file, two log files and src/log/files.py"
    times, length = counted(text, {"log", "file", "absent"})
    assert times == {"log": 4, "file": 3}
    assert length == len(list(terms(text)))
    assert counted("", {"log"}) == ({}, 0)


def test_more_words_than_are_kept_change_no_term() -> None:
    first = list(terms("oldest_wordsHere/again"))
    assert sum(1 for number in range(MOST_KNOWN + 10) for _term in terms(f"w{number}x")) == MOST_KNOWN + 10
    assert list(terms("oldest_wordsHere/again")) == first


@pytest.mark.parametrize("shape", ["a_", "a.", "aB", "_", "漢", "a" * 70 + "_", "/:@"])
def test_hostile_text_costs_no_more_than_its_length(shape: str) -> None:
    def cost(times: int) -> float:
        text, began = shape * times, time.perf_counter()
        sum(1 for _term in terms(text))
        return time.perf_counter() - began

    small, large = min(cost(1000) for _ in range(5)), min(cost(40_000) for _ in range(3))
    assert large < 400 * max(small, 1e-5), "forty times as long; its square would be 1,600"


def test_ids_are_the_same_for_the_same_and_other_for_others() -> None:
    assert run_id(Machine("noor", "laptop"), "codex", "1") == run_id(Machine("noor", "laptop"), "codex", "1")
    assert run_id(Machine("a", "bc"), "x", "1") != run_id(Machine("ab", "c"), "x", "1")
    assert re.fullmatch(r"r_[a-z2-7]{13}", derived_id("r", "\udcff", "漢"))
    assert len({random_id("m") for _ in range(1000)}) == 1000


def test_an_anchor_is_the_last_four_kibibytes_alone() -> None:
    tail = bytes(n % 251 for n in range(ANCHOR))
    for head in (b"", b"x", tail):
        assert anchor_of(head + tail) == anchor_of(tail)
    assert anchor_of(tail[1:]) != anchor_of(tail)
    assert anchor_of(b"short") != anchor_of(b"other")
