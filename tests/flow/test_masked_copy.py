"""The masked copy that is sent: whole lines only, never less or other than before, and the same bytes if made again."""

from __future__ import annotations

from pathlib import Path

from campaigns.rewrites import chat, said
from memlane import archive
from memlane.app import Lane
from memlane.app.home.place import masked_layout
from memlane.app.shipment.mask_copy import bring_up
from memlane.gate import Gate
from tests.flow.homes import a_lane, prompt, transcript, write


def copied(lane: Lane) -> dict[str, bytes]:
    """Brought up to date; every generation as it is read from the copy."""
    home = lane.home
    seen = {
        run: archive.RunReceipt(seen=one) for run, one in archive.copied_from(home.disk, masked_layout(home)).items()
    }
    assert bring_up(home, archive.outgoing(home.disk, home.layout, seen, lambda _metadata: "")) == {}
    found = dict[str, bytes]()
    for folder in masked_layout(home).run_folders():
        told = archive.load(home.disk, folder)
        assert told is not None
        for one in told.generations:
            found[f"{told.agent} g{one.n}"] = b"".join(archive.pieces(home.disk, folder, told, one))
    return found


def of_the_copy(lane: Lane) -> dict[str, bytes]:
    base = masked_layout(lane.home).base
    return {str(path.relative_to(base)): path.read_bytes() for path in base.rglob("*") if path.is_file()}


def secrets() -> list[str]:
    return [sample.secret for rule, sample in Gate().samples(5) if rule in ("github-token", "stripe-key", "npm-token")]


def test_a_half_line_waits_until_it_is_whole(tmp_path: Path) -> None:
    one, two, three = secrets()
    path = transcript(tmp_path)
    with a_lane(tmp_path) as lane:
        write(path, [prompt(f"first {one}", 1), prompt("nothing to hide", 2), prompt(f"then {two}", 3)])
        whole = path.read_bytes()
        path.write_bytes(whole[: whole.index(two.encode()) + 12])
        lane.capture.sweep()
        ((_name, begun),) = copied(lane).items()
        assert begun.count(b"\n") == 2
        assert begun.endswith(b"\n")
        assert whole.split(b"\n")[1] in begun  # a line with nothing to hide keeps its bytes
        path.write_bytes(whole)
        lane.capture.sweep()
        write(path, [prompt(f"last {three}", 4)])
        lane.capture.sweep()
        ((_name, grown),) = copied(lane).items()
        assert grown.startswith(begun)
        assert (grown.count(b"\n"), grown.count(b"[masked: ")) == (4, 3)
        assert not any(secret.encode() in grown for secret in secrets())


def test_documents_are_masked_in_every_generation_and_the_copy_can_be_made_again(tmp_path: Path) -> None:
    one, two, _three = secrets()
    path = tmp_path / "home" / ".gemini" / "tmp" / "proj" / "chats" / "session-2026-01-05T09-00-0a1b2c3d.json"
    path.parent.mkdir(parents=True)
    with a_lane(tmp_path) as lane:
        for secret in ("nothing", one, two):
            turn = said(2, 100)
            path.write_bytes(chat([said(1, 4000), {**turn, "content": f"{turn['content']} {secret}"}]))
            lane.capture.sweep()
        found = copied(lane)
        assert [data.count(b"[masked: ") for data in found.values()] == [0, 1, 1]
        before = of_the_copy(lane)
        assert any(name.endswith(".patch") for name in before)
        for folder in [*masked_layout(lane.home).run_folders()]:
            archive.drop_masked(lane.home.disk, masked_layout(lane.home), folder.name)
        assert of_the_copy(lane) == {}
        assert copied(lane) == found
        assert of_the_copy(lane) == before


def test_what_is_no_longer_in_the_archive_leaves_the_copy(tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        write(transcript(tmp_path), [prompt("where is the blue notebook")])
        lane.capture.sweep()
        assert copied(lane)
        (folder,) = lane.home.layout.run_folders()
        folder.rename(tmp_path / "elsewhere")
        assert copied(lane) == {}
