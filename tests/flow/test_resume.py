"""A run put back where its agent finds it: byte for byte at home, with other paths elsewhere, without damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.resume import CheckoutChoices
from memlane.app.resume.paths import PathMap, root_before
from memlane.domain import RunSummary
from memlane.errors import UsageError
from tests.flow.homes import SESSION, a_lane, answer, called, prompt, returned, said, transcript, write


def a_checkout(folder: Path, remote: str = "git@host:acme/app.git") -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n')
    return folder


def talk(cwd: str) -> list[dict[str, object]]:
    signed = {"type": "thinking", "thinking": f"look into {cwd}/src", "signature": "c2lnbmVk"}
    lines = [
        prompt(f"read {cwd}/src/a.py, not {cwd}-old/a.py", 1, cwd),
        answer([signed, called("Read", {"file_path": f"{cwd}/src/a.py"})], 2, cwd=cwd),
        returned("x = 1", n=3) | {"cwd": cwd},
        answer([said(f"It is in {cwd}/src/a.py.")], 4, cwd=cwd),
        prompt("thanks", 5, cwd),
        answer([said("You are welcome.")], 6, cwd=cwd),
    ]
    before = None
    for line in lines:
        line["parentUuid"], before = before, line["uuid"]
    return lines


def only_run(lane: Lane) -> RunSummary:
    (run,) = lane.runs.select()
    return run


def test_a_deleted_transcript_comes_back_byte_for_byte_and_is_the_same_run(tmp_path: Path) -> None:
    lane, work = a_lane(tmp_path), tmp_path / "home" / "app"
    a_checkout(work)
    path = transcript(tmp_path, project=str(work).replace("/", "-").replace("_", "-").replace(".", "-"))
    write(path, talk(str(work)))
    beside = path.with_suffix("") / "tool-results" / "one.txt"
    beside.parent.mkdir(parents=True)
    beside.write_text("a long result")
    lane.capture.sweep()
    before = path.read_bytes()
    path.unlink()
    beside.unlink()
    run = only_run(lane)
    plan = lane.resume.plan(run.id, None, tmp_path)
    assert plan.files == [path, beside]
    report = lane.resume.put_back(plan)
    assert (path.read_bytes(), beside.read_text()) == (before, "a long result")
    assert plan.command == ("claude", "--resume", SESSION)
    assert [file.written for file in report.files] == [True, True]
    assert lane.capture.sweep().changes == []
    assert [file.written for file in lane.resume.put_back(lane.resume.plan(run.id, None, tmp_path)).files] == [
        False
    ] * 2


def test_a_file_apart_of_the_same_session_does_not_stand_in_for_a_deleted_one(tmp_path: Path) -> None:
    lane, work = a_lane(tmp_path), tmp_path / "home" / "app"
    a_checkout(work)
    chats = tmp_path / "home" / ".gemini" / "tmp" / "app" / "chats"
    chats.mkdir(parents=True)
    (chats.parent / ".project_root").write_text(str(work))
    first, second = (chats / f"session-2026-01-05T09-0{n}-0a1b2c3d.jsonl" for n in (0, 7))
    for n, file in enumerate((first, second)):
        at = f"2026-01-05T09:0{7 * n}:00.000Z"
        scene = f"<session_context>\n- **Workspace Directories:**\n  - {work}\n</session_context>"
        records: list[dict[str, object]] = [
            {"sessionId": "0a1b2c3d-0000-4000-8000-000000000000", "startTime": at},
            {"id": "scene", "timestamp": at, "type": "user", "content": scene},
        ]
        if file is first:
            records.append({"id": "m1", "timestamp": at, "type": "user", "content": "build the app"})
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
    lane.capture.sweep()
    before = first.read_bytes()
    first.unlink()
    (run,) = [one for one in lane.runs.select() if one.turns]
    plan = lane.resume.plan(run.id, None, tmp_path)
    assert plan.files == [first]
    lane.resume.put_back(plan)
    assert first.read_bytes() == before
    assert plan.command[-1] == "0a1b2c3d-0000-4000-8000-000000000000"


def of_a_laptop(tmp_path: Path, *checkouts: Path) -> tuple[Lane, RunSummary]:
    """A run of another machine, and a run of this one in each checkout of the same project."""
    lane, old = a_lane(tmp_path), "/Users/ana/work/app"
    for n, folder in enumerate(checkouts):
        write(transcript(tmp_path, f"9999999{n}-2222-4333-8444-555555555555"), [prompt("mine", 10 + n, str(folder))])
    write(transcript(tmp_path / "copied", project="-Users-ana-work-app"), talk(old))
    lane.capture.sweep([tmp_path / "copied" / "home"], machine="laptop")
    lane.capture.sweep()
    lane.projects.join(old, "acme/app")
    (run,) = [one for one in lane.runs.select() if one.machine == "laptop"]
    return lane, run


def test_a_run_of_another_machine_goes_on_in_the_checkout_of_its_project(tmp_path: Path) -> None:
    here, old = a_checkout(tmp_path / "home" / "code" / "app"), "/Users/ana/work/app"
    lane, run = of_a_laptop(tmp_path, here)
    plan = lane.resume.plan(run.id, None, tmp_path)
    assert (plan.folder, plan.paths) == (here, PathMap(old, str(here)))
    (file,) = lane.resume.put_back(plan).files
    lines = [json.loads(line) for line in file.path.read_text().splitlines()]
    assert lines[0]["message"]["content"] == f"read {here}/src/a.py, not {old}-old/a.py"
    thinking, call = lines[1]["message"]["content"]
    assert thinking["thinking"] == f"look into {old}/src", "a signed block is refused when it was changed"
    assert call["input"] == {"file_path": f"{here}/src/a.py"}
    assert {line["cwd"] for line in lines} == {str(here)}
    lane.capture.sweep()
    mine = next(one for one in lane.runs.select() if one.native_id == SESSION and one.machine == "desk")
    assert mine.parent == run.id


def test_from_inside_a_checkout_its_paths_still_begin_at_its_top(tmp_path: Path) -> None:
    here = a_checkout(tmp_path / "home" / "code" / "app")
    (here / "src").mkdir()
    lane, run = of_a_laptop(tmp_path, here)
    assert lane.resume.choices(run, here / "src") == CheckoutChoices([here / "src"], certain=True)
    plan = lane.resume.plan(run.id, None, here / "src")
    assert (plan.folder, plan.paths) == (here / "src", PathMap("/Users/ana/work/app", str(here)))


def test_of_several_checkouts_none_is_meant_until_one_is_named(tmp_path: Path) -> None:
    first, second = (a_checkout(tmp_path / "home" / name) for name in ("app", "again"))
    (first / "src").mkdir()
    lane, run = of_a_laptop(tmp_path, first / "src", second)
    assert set(lane.resume.choices(run, tmp_path).folders) == {first, second}
    assert not lane.resume.choices(run, tmp_path).clear
    assert lane.resume.choices(run, second) == CheckoutChoices([second], certain=True)
    assert lane.resume.plan(run.id, second, tmp_path).paths == PathMap("/Users/ana/work/app", str(second))


def test_what_is_damaged_is_left_out_and_the_rest_hangs_together(tmp_path: Path) -> None:
    lane, work = a_lane(tmp_path), a_checkout(tmp_path / "home" / "app")
    path = transcript(tmp_path)
    write(path, talk(str(work)))
    lane.capture.sweep()
    run = only_run(lane)
    folder = lane.home.layout.find(run.id)
    assert folder is not None
    raw = (folder / "g1.raw").read_bytes().splitlines(keepends=True)
    raw[3] = b"\0" * (len(raw[3]) - 1) + b"\n"
    (folder / "g1.raw").write_bytes(b"".join(raw))
    path.unlink()
    plan = lane.resume.plan(run.id, None, tmp_path)
    (file,) = lane.resume.put_back(plan).files
    lines = [json.loads(line) for line in file.path.read_text().splitlines()]
    assert (plan.damage.lost, plan.damage.altered, plan.damage.linked) == ([4], 1, 1)
    assert [line["parentUuid"] for line in lines] == [None, *(line["uuid"] for line in lines[:-1])]


def test_a_run_that_lies_under_a_folder_that_is_gone_gets_a_copy_with_an_id_of_its_own(tmp_path: Path) -> None:
    lane, here = a_lane(tmp_path), a_checkout(tmp_path / "home" / "moved")
    path = transcript(tmp_path)
    write(path, talk("/home/dev/app"))
    lane.capture.sweep()
    before, run = path.read_bytes(), only_run(lane)
    plan = lane.resume.plan(run.id, here, tmp_path)
    (file,) = lane.resume.put_back(plan).files
    assert file.path != path
    assert path.read_bytes() == before
    handle = plan.command[-1]
    assert handle == file.path.stem != SESSION
    assert SESSION not in file.path.read_text()
    again = lane.resume.plan(run.id, here, tmp_path)
    assert (again.command, again.files) == (plan.command, [])


def test_a_run_without_a_checkout_here_asks_for_one(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    copied = tmp_path / "copied"
    write(transcript(copied), talk("/Users/ana/work/app"))
    lane.capture.sweep([copied / "home"], machine="laptop")
    with pytest.raises(UsageError, match="no checkout of app") as error:
        lane.resume.plan(only_run(lane).id, None, tmp_path)
    assert "--cwd" in error.value.hint
    here = a_checkout(tmp_path / "home" / "code" / "app")
    write(transcript(tmp_path, "99999990-2222-4333-8444-555555555555"), [prompt("mine", 10, str(here))])
    lane.capture.sweep()
    (run,) = [one for one in lane.runs.select() if one.machine == "laptop"]
    assert lane.resume.choices(run, tmp_path) == CheckoutChoices([here], certain=False), "it only has the same name"
    with pytest.raises(UsageError, match="no checkout of app"):
        lane.resume.plan(run.id, None, tmp_path)


@pytest.mark.parametrize(
    ("old", "given", "wanted"),
    [
        ("/a/app", "in /a/app/x.py and /a/app.", "in /b/new/x.py and /b/new."),
        ("/a/app", "/a/app2 /x/a/app /a/app.py /a/app-old", "/a/app2 /x/a/app /a/app.py /a/app-old"),
        ("/a/app", "file:///a/app/x", "file:///b/new/x"),
        ("C:\\code\\app", "see C:\\code\\app\\src\\x.py", "see /b/new/src/x.py"),
        ("C:\\code\\app", '{"p":"C:\\\\code\\\\app\\\\x.py"}', '{"p":"/b/new/x.py"}'),
    ],
)
def test_only_whole_paths_below_the_checkout_are_changed(old: str, given: str, wanted: str) -> None:
    assert PathMap(old, "/b/new").text(given) == wanted


@pytest.mark.parametrize(
    ("cwd", "key", "root", "wanted"),
    [
        ("/Users/ana/api/src", "acme/api", "/home/bob/code/api", "/Users/ana/api"),
        ("/Users/ana/api/src", "/Users/ana/api", "/x", "/Users/ana/api"),
        ("/Users/ana/other", "acme/api", "/home/bob/code/api", "/Users/ana/other"),
        ("C:\\code\\api\\src", "acme/api", "/home/bob/api", "C:\\code\\api"),
    ],
)
def test_the_top_of_the_old_checkout_is_told_by_its_name(cwd: str, key: str, root: str, wanted: str) -> None:
    assert root_before(cwd, key, root) == wanted
