"""Blocks of a page as Markdown means them: headings with a line below, quotations, code within an item."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.system.markdown import blocks


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("Releases\n========\n- tag it first\n", [(3, "tag it first", "Releases")]),
        ("> never on a Friday\n>\n> ask Neal\n", [(1, "never on a Friday", ""), (3, "ask Neal", "")]),
        ("- build it:\n\n      make all\n- ship it\n", [(1, "build it:", ""), (4, "ship it", "")]),
        ("- one\n-\n- two\n", [(1, "one", ""), (3, "two", "")]),
        ("a | b\n--- | ---\n1 | 2\n\nafter it\n", [(5, "after it", "")]),
        ("1. one\n  - under it\n\n  and more of it\n", [(1, "one\n- under it\nand more of it", "")]),
        ("a\rb\n- c\n", [(1, "a\rb", ""), (2, "c", "")]),
    ],
)
def test_blocks_are_where_markdown_has_them(page: str, found: list[tuple[int, str, str]]) -> None:
    assert [(block.line, block.text, block.heading) for block in blocks(page)] == found


PIECES = st.sampled_from(
    ["- ", "  ", "1. ", "> ", "# ", "```", "---", "|", "\n", "\n\n", "\t", "word", ":", "<!--", "-->", "\r"]
)


@given(st.lists(PIECES, max_size=20).map("".join) | st.text())
def test_every_block_of_any_page_says_something_and_has_a_line(page: str) -> None:
    lines = [block.line for block in blocks(page)]
    assert lines == sorted(set(lines))
    assert set(lines) <= set(range(1, page.count("\n") + 2))
    assert all(block.text for block in blocks(page))
