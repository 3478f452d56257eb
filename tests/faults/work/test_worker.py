"""Of many people on a Central, none waits for another: what arrives is indexed first, and each is read in turn."""

from __future__ import annotations

from pathlib import Path

from memlane.app import Lane
from memlane.app.arrivals import arrival_mark
from memlane.app.control import of_owner
from memlane.config import load
from memlane.surfaces.cli.work import Worker

READ = list[str]()


class BesideArrivals(Worker):
    """Whenever it has read for somebody, something of Ada's has arrived."""

    def _rest(self, owner: str, lane: Lane) -> int:
        READ.append(owner)
        mark = arrival_mark(of_owner(self.config, "ada"))
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
        return super()._rest(owner, lane)


def test_whoever_has_waited_longest_is_read_for_next_however_much_arrives(tmp_path: Path) -> None:
    READ.clear()
    config = load({"HOME": str(tmp_path), "LANE_USER": "operator", "LANE_MACHINE": "central"})
    with Lane(config) as lane:
        lane.home.begin()
        for name in ("ada", "ben", "cem"):
            lane.control.codes.invite(name)
        people = list(lane.control.people.names())
        for name in people:
            (config.archive_base / name).mkdir(exist_ok=True)
        worker = BesideArrivals(config, lane.control)
        first = [one["owner"] for one in worker.look(everybody=True)]
        later = [[one["owner"] for one in worker.look()] for _ in range(len(people))]
    assert first == people
    assert later == [["ada"]] * len(people)  # indexed between every two
    assert [*people, "ada"] == READ
