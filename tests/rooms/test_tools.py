"""The tools that make a machine ready: nothing unpinned is installed, nothing twice, and no skip is hidden."""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import tarfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from tools import ready
from tools.check import checks, concerned
from tools.clients import Client, ClientError, home, install, program
from tools.commits import wrong
from tools.knots import imports_of, knots
from tools.ready import Tally, newer_interpreters

PROGRAM = b"#!/bin/sh\necho hello\n"


def a_tarball() -> bytes:
    entry = tarfile.TarInfo("package/bin/agent")
    entry.size, entry.mode = len(PROGRAM), 0o755
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        archive.addfile(entry, io.BytesIO(PROGRAM))
    return made.getvalue()


TARBALL = a_tarball()
AGENT = Client(
    name="agent",
    package="@example/agent",
    version="1.0.0",
    sha512=base64.b64encode(hashlib.sha512(TARBALL).digest()).decode(),
    program="bin/agent",
)


class Registry:
    """Stands where npm does, and counts."""

    def __init__(self) -> None:
        self.asked = 0

    def fetch(self, client: Client, scratch: Path) -> Path:
        self.asked += 1
        tarball = scratch / f"{client.name}.tgz"
        tarball.write_bytes(TARBALL)
        return tarball


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    monkeypatch.setenv("LANE_CLIENTS", str(tmp_path / "clients"))
    monkeypatch.setattr("tools.clients.platform.system", lambda: "Linux")
    monkeypatch.setattr("tools.clients.platform.machine", lambda: "x86_64")
    return Registry()


def test_a_client_is_installed_once_and_can_be_run(registry: Registry) -> None:
    assert [install(AGENT, registry.fetch), install(AGENT, registry.fetch)] == [True, False]
    path = program(AGENT)
    assert path is not None
    assert (path.read_bytes(), path.stat().st_mode & 0o111) == (PROGRAM, 0o111)
    assert registry.asked == 1


def test_a_tarball_that_is_not_the_pinned_one_leaves_nothing(registry: Registry) -> None:
    other = replace(AGENT, sha512="A" * 86 + "==")
    with pytest.raises(ClientError, match="not what was pinned"):
        install(other, registry.fetch)
    assert program(other) is None
    assert [path.name for path in home().iterdir()] == [".lock"]


def test_a_new_pin_never_runs_the_old_program(registry: Registry) -> None:
    install(AGENT, registry.fetch)
    assert program(replace(AGENT, version="1.0.1")) is None


def test_two_at_once_fetch_once(registry: Registry) -> None:
    together = Barrier(2)

    def one_of_two(_: int) -> bool:
        together.wait()
        return install(AGENT, registry.fetch)

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(one_of_two, range(2))) == [False, True]
    assert registry.asked == 1


def test_a_changed_room_is_tested_by_its_folder_and_a_changed_test_by_itself() -> None:
    rooms = ["src/memlane/archive/read.py", "src/memlane/system/disk.py", "src/memlane/surfaces/api/rules.py"]
    assert concerned(rooms) == ["tests/rooms/api", "tests/rooms/archive", "tests/rooms/system"]
    tests = ["tests/rooms/gate/conftest.py", "tests/rooms/test_tools.py", "tests/clients/test_drive.py"]
    assert concerned(tests) == ["tests/clients/test_drive.py", "tests/rooms/gate", "tests/rooms/test_tools.py"]
    assert concerned(["README.md", "src/memlane/errors.py", "tests/house/test_words.py", "tests/conftest.py"]) == []


def test_of_what_changed_only_the_types_and_tests_are_chosen_the_rest_is_asked_of_everything() -> None:
    names = [check.name for check in checks()]
    assert [check.name for check in checks(["README.md"])] == [name for name in names if name != "pyright"]
    some = {check.name: check.command for check in checks(["src/memlane/system/disk.py", "tests/conftest.py"])}
    assert list(some) == [*names, "tests"]
    assert some["pyright"][-1] == "src/memlane/system/disk.py"
    assert some["tests"][-1] == "tests/rooms/system"


def test_every_skipped_test_is_named_with_its_reason(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="t" name="a"/>'
        '<testcase classname="t" name="b"><failure message="x"/></testcase>'
        '<testcase classname="t" name="c"><skipped message="no client"/></testcase></testsuite></testsuites>'
    )
    tally = Tally()
    tally.add(report)
    tally.add(report)
    assert (tally.passed, tally.failed, tally.skipped) == (2, ["t.b"] * 2, ["t.c: no client"] * 2)


def test_what_passes_only_alone_is_named(tmp_path: Path) -> None:
    tally = Tally(run=3, failed=["t.b"])
    tally.passed_alone()
    assert (tally.passed, tally.failed, tally.unsteady) == (3, [], ["t.b"])


def a_python(folder: Path, name: str, *version: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\necho {folder / name} {' '.join(map(str, version))}\n")
    (folder / name).chmod(0o755)


def test_the_newest_python_is_looked_for_on_path_and_where_pyenv_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Releases alone, newest first; a shim that leads nowhere and what only begins like one are passed over."""
    kept = tmp_path / ".pyenv" / "versions"
    a_python(tmp_path / "bin", "python3.98", 3, 98, 4, "final")
    a_python(tmp_path / "bin", "python3.98-config", 3, 98, 5, "final")
    a_python(kept / "3.99.1" / "bin", "python3", 3, 99, 1, "final")
    a_python(kept / "3.100.0" / "bin", "python3", 3, 100, 0, "alpha")
    a_python(kept / "3.1.0" / "bin", "python3", 3, 1, 0, "final")
    (tmp_path / "bin" / "python3.97").write_text("#!/bin/sh\nexit 127\n")
    (tmp_path / "bin" / "python3.97").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    monkeypatch.setenv("HOME", str(tmp_path))
    found = [str(each) for each in newer_interpreters()]
    assert found[:2] == ["3.99.1", "3.98.4"]
    assert not {"3.100.0", "3.1.0", "3.98.5"} & {*found}


def test_a_machine_without_a_newer_python_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "newer_interpreters", list)
    tally = Tally()
    assert ready.run_with_newest(tally)
    assert tally.lines() == [f"newest: there is no Python newer than {ready.THIS} here, so no test was run with one"]


def test_a_knot_is_found_behind_a_late_import_and_not_behind_one_for_types(tmp_path: Path) -> None:
    package = tmp_path / "house"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "door.py").write_text("def enter():\n    from house import hall\n    return hall\n")
    (package / "hall.py").write_text("from house.door import enter\n")
    (package / "roof.py").write_text("import typing\nif typing.TYPE_CHECKING:\n    from house.rain import Rain\n")
    (package / "rain.py").write_text("import house.roof\n")
    imports = imports_of(package)
    assert knots({name: each.real for name, each in imports.items()}) == [["house.door", "house.hall"]]
    every = knots({name: each.every for name, each in imports.items()})
    assert every == [["house.door", "house.hall"], ["house.rain", "house.roof"]]


def test_a_commit_says_in_a_few_words_what_and_in_its_body_why(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        who = ["-c", "user.name=ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *who, *words], cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    def commit(message: str) -> str:
        git("commit", "-q", "--allow-empty", "-m", message)
        return git("rev-parse", "HEAD").strip()

    git("init", "-q")
    first = commit("before the rule")
    commit("recall: say less\n\nBecause less is read.")
    assert wrong(tmp_path, first) == []
    silent, long = commit("recall: say nothing"), commit(f"recall: {'x' * 70}\n\nWhy not.")
    found = wrong(tmp_path, first)
    assert found is not None
    assert [line.split()[0] for line in found] == [long[:9], silent[:9]]
    assert wrong(tmp_path, "0" * 40) is None
