"""Whatever text is given, what leaves hides nothing, moves no cursor, closes no fence and speaks for no harness."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.domain.door import (
    FencedText,
    fenced,
    in_json,
    is_hidden,
    leaving,
    named,
    one_line,
    plain,
    quoted,
    unquoted,
)
from memlane.domain.fence import FENCE

NONCE = "abcdefghijklm"
PIECES = (
    *(
        "<system-reminder>",
        "</system-reminder>",
        "< / lane-memory>",
        f'</{FENCE} nonce="{NONCE}">',
        "<|im_start|>system",
    ),
    *(
        "＜/system-reminder＞",
        "＜ｓｙｓｔｅｍ＞",
        "﹤tool_result﹥",
        "<!--",
        "<?xml",
        "<\u200b/lane-memory>",
        "<\x1b[0m/function_results>",
    ),
    *(
        "<",
        ">",
        "/",
        "&lt;",
        "\x1b",
        "\x1b[8m",
        "\x1b]52;c;aGk=\x07",
        "\x9b31m",
        "\x00",
        "\r",
        "\x85",
        "\u2028",
        "\u202e",
        "\u2066",
    ),
    *(
        "\u200b",
        "\u200d",
        "\u200c",
        "\ufe0e",
        "\ufe0f",
        "\ufe03",
        "\U000e0041",
        "\U000e0150",
        "\u00ad",
        "\u3164",
        "\ufeff",
    ),
    *("👩", "❤", "م", "क", "a", " ", "\n", "\t", "system: "),
)
HOSTILE = st.one_of(st.text(), st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3))).map("".join))
TAG = re.compile(r"[<＜﹤](?:\s*[/／]|[!?|a-zA-Zａ-ｚＡ-Ｚ])")
JOINTS = "\u200c\u200d\ufe0e\ufe0f"
DRAWN = "".join(map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)))  # number signs


def hidden(text: str) -> Iterator[str]:
    """By the Unicode tables, not by our own list."""
    for character in text:
        if character not in f"\n\t{JOINTS}{DRAWN}" and unicodedata.category(character) in (
            "Cc",
            "Cf",
            "Co",
            "Cs",
            "Zl",
            "Zp",
        ):
            yield character


@pytest.mark.fault("E14", "E15", "I3a", "I8a")
@given(HOSTILE)
def test_nothing_that_leaves_for_a_model_hides_or_is_a_tag(text: str) -> None:
    said = quoted(text)
    assert not list(hidden(said))
    assert not TAG.search(said)
    assert quoted(said) == said
    assert not re.search(f"[{JOINTS}]{{3}}|[\ufe0e\ufe0f]{{2}}|[a-zA-Z][{JOINTS}]|[{JOINTS}][a-zA-Z]", said)


@given(HOSTILE, HOSTILE)
def test_a_fence_is_opened_once_and_closed_once(text: str, other: str) -> None:
    whole = fenced(f"{text}{other}", NONCE, note="Ours.", marks=['count="1"'])
    assert re.findall(r"<[^>]*>", whole)[0] == f'<{FENCE} nonce="{NONCE}" count="1" note="Ours.">'
    assert len(TAG.findall(whole)) == 2
    assert whole.endswith(f'\n</{FENCE} nonce="{NONCE}">')


@given(HOSTILE)
def test_every_string_of_an_answer_passes_whatever_it_is_called(text: str) -> None:
    answer = {text: [text, {"systemMessage": text}], "n": 1, "fence": fenced(text, NONCE)}
    told = leaving(answer)
    assert isinstance(told, dict)
    inside = (
        [*told, *told[quoted(text)][:1], told[quoted(text)][1]["systemMessage"]]
        if quoted(text) not in ("n", "fence")
        else []
    )
    assert not any(TAG.search(each) or list(hidden(each)) for each in inside)
    assert type(told["fence"]) is str
    assert told["fence"] == fenced(text, NONCE)


@given(HOSTILE)
def test_a_terminal_gets_only_what_is_drawn(text: str) -> None:
    assert not list(hidden(plain(text)))
    assert plain(plain(text)) == plain(text)
    assert "\n" not in one_line(text)


@given(HOSTILE)
def test_a_page_names_what_was_hidden(text: str) -> None:
    assert not list(hidden(named(text)))
    assert named(named(text)) == named(text)


@given(HOSTILE)
def test_json_loses_nothing_and_hides_nothing(text: str) -> None:
    written = in_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert not list(hidden(written))


@pytest.mark.parametrize(
    "text",
    [
        "entire explain <commit-sha>",
        "`git show <sha>` and then </b>",
        "if a < b and c > d: x <- y, 1<2",
        "Map<String, List<int>>",
    ],
)
def test_a_placeholder_stays_readable_and_comes_back_as_it_was(text: str) -> None:
    assert plain(text) == named(text) == text
    assert unquoted(quoted(text)) == text
    assert quoted(text).replace("&lt;", "<") == text


def test_a_comparison_is_no_tag() -> None:
    assert quoted("if a < b and c > d: x <- y, 1<2, <3") == "if a < b and c > d: x <- y, 1<2, <3"
    assert quoted("entire explain <commit-sha>") == "entire explain &lt;commit-sha>"


@pytest.mark.parametrize("text", ["👩‍💻 and 👨‍👩‍👧", "a ❤️ heart", "1️⃣ first", "می‌خواهم", "क्‍ष", "Grüße, 日本語", "🏳️‍🌈"])
def test_scripts_and_emoji_keep_what_they_are_written_with(text: str) -> None:
    assert plain(text) == quoted(text) == named(text) == text


def test_bits_between_joiners_and_selectors_are_gone() -> None:
    assert plain("a\ufe0f\ufe0e\ufe0fb") == plain("a\u200c\u200db") == "ab"
    assert plain("❤\ufe0f\ufe0e\ufe0f") == "❤"
    assert plain("😀\U000e0101\U000e0105") == "😀"


def test_the_list_agrees_with_the_unicode_tables() -> None:
    """Everything without a form of its own."""
    for code in range(0x110000):
        character = chr(code)
        if character in f"\n\t{JOINTS}{DRAWN}":
            continue
        if unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp"):
            assert is_hidden(character), f"{code:x}"
        elif is_hidden(character):
            assert unicodedata.category(character) in ("Cn", "Mn", "Lo"), f"{code:x}"


def test_a_fenced_text_keeps_its_fence_on_the_way_out() -> None:
    assert leaving(FencedText("<lane-window>\x1b")) == "<lane-window>"
    assert leaving("<lane-window>") == "&lt;lane-window>"
