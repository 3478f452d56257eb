"""Walking a tree of runs: which rows are in sight after which keys."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

import pytest

from memlane.app.runs import RunBranch
from memlane.domain import RunSummary
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.tree_walk import TreeWalk

AT = datetime(2026, 11, 1, tzinfo=UTC)


def branch(name: str, *children: RunBranch, depth: int = 0) -> RunBranch:
    run = RunSummary(name, "ann", "desk", "claude-code", name, 1, "/x", 1, title=name, ended=AT)
    return RunBranch(run, depth, tuple(children))


@pytest.fixture
def tree() -> TreeWalk:
    nobody = cast(Screen, None)  # nothing is drawn here
    return TreeWalk(nobody, [branch("r_1", branch("r_2", branch("r_3"))), branch("r_4")])


def names(tree: TreeWalk) -> list[str]:
    return [row.branch.run.id for row in tree.rows]


def test_a_branch_opens_and_folds_and_left_leads_to_where_it_came_from(tree: TreeWalk) -> None:
    assert names(tree) == ["r_1", "r_4"]
    tree.press("<right>", 10)
    tree.press("<down>", 10)
    tree.press("<right>", 10)
    assert names(tree) == ["r_1", "r_2", "r_3", "r_4"]
    tree.press("<down>", 10)
    assert tree.here.run.id == "r_3"
    tree.press("<left>", 10)
    assert tree.here.run.id == "r_2"
    tree.press("<left>", 10)
    assert names(tree) == ["r_1", "r_2", "r_4"]
    tree.press("<left>", 10)
    tree.press("<left>", 10)
    assert names(tree) == ["r_1", "r_4"]


def test_nobody_walks_off_the_tree(tree: TreeWalk) -> None:
    for key in ("<up>", "k", "<pageup>"):
        tree.press(key, 10)
        assert tree.here.run.id == "r_1"
    for key in ("<end>", "<down>", " "):
        tree.press(key, 10)
        assert tree.here.run.id == "r_4"
    tree.press("<right>", 10)
    assert names(tree) == ["r_1", "r_4"]
