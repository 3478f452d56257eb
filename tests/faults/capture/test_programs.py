"""Anything may happen to a transcript between two sweeps; capture has every byte that was there at one."""

from __future__ import annotations

import shutil
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.plain import line
from campaigns.programs import Programs, settings_for
from campaigns.world import World, scratch
from memlane.domain import RunSummary, Turn
from tests.examples import examples

IN_CI = examples(80)  # `python -m campaigns.programs --n 100000` is the long one

Programs.TestCase.settings = settings(settings_for(IN_CI, 18), derandomize=True)
TestPrograms = Programs.TestCase


def captured(world: World) -> tuple[list[bytes], list[Turn], RunSummary]:
    with world.lane() as lane:
        shown = lane.runs.show(world.run("a"))
        return world.archived("a"), list(shown.turns), shown.run


RECORDS = st.lists(
    st.builds(
        lambda words, at: line(words, cwd="/home/noor/shop", at=f"2026-11-0{at}T10:00:00Z"),
        st.text(max_size=30).filter(lambda words: words.strip()),
        st.integers(1, 9),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=examples(25), deadline=None, derandomize=True)
@given(records=RECORDS, data=st.data())
def test_any_split_of_a_file_into_deltas_gives_the_same_run(records: list[bytes], data: st.DataObject) -> None:
    content = b"".join(records)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(content)), max_size=5)) | {len(content)})
    folder = scratch()
    try:
        at_once, in_parts = World(folder / "1").prepare(), World(folder / "2").prepare()
        at_once.path("a").write_bytes(content)
        with at_once.lane() as lane:
            lane.capture.sweep()
        with in_parts.lane() as lane:
            for start, end in zip([0, *cuts], cuts, strict=False):
                with in_parts.path("a").open("ab") as file:
                    file.write(content[start:end])
                lane.capture.sweep()
        bytes_once, turns_once, run_once = captured(at_once)
        bytes_parts, turns_parts, run_parts = captured(in_parts)
    finally:
        shutil.rmtree(folder)
    assert bytes_once == bytes_parts == [content]
    assert turns_once == turns_parts
    assert run_once == replace(run_parts, source_path=run_once.source_path)
