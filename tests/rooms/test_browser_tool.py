"""Which Chromium the tests of pages use, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import browser
from tools.clients import ClientError

STUB = "#!/bin/sh\n[ -x /snap/bin/chromium ] || { echo 'requires the chromium snap' >&2; exit 1; }\n"
SPEAKS = "#!/bin/sh\necho 'Chromium 150.0'\n"
MUTE = "#!/bin/sh\necho 'libnss3.so: cannot open shared object file' >&2\nexit 127\n"


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine with nothing on it but what a test puts there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.delenv("LANE_CHROMIUM", raising=False)
    browser.chromium.cache_clear()
    yield tmp_path
    browser.chromium.cache_clear()


def put(place: Path, script: str) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(script)
    place.chmod(0o755)
    return place


def test_a_script_that_only_names_a_snap_is_no_browser(nowhere: Path) -> None:
    put(nowhere / "chromium-browser", STUB)
    assert browser.chromium() is None
    chrome = put(nowhere / "google-chrome", SPEAKS)
    browser.chromium.cache_clear()
    assert browser.chromium() == chrome


def test_one_that_does_not_start_is_passed_over_for_playwrights(nowhere: Path) -> None:
    put(nowhere / "chromium", MUTE)
    own = put(nowhere / "playwright" / "chromium-1254" / "chrome-linux64" / "chrome", SPEAKS)
    assert browser.chromium() == own


def test_the_one_that_is_named_is_taken_or_none(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(nowhere / "chromium", SPEAKS)
    monkeypatch.setenv("LANE_CHROMIUM", str(put(nowhere / "mine", MUTE)))
    assert browser.chromium() is None


def test_without_one_and_without_its_package_it_is_said_what_to_do(nowhere: Path) -> None:
    put(nowhere / "apt-get", "#!/bin/sh\nexit 100\n")
    with pytest.raises(ClientError) as told:
        browser.install_chromium()
    assert all(word in str(told.value) for word in ("apt-get install chromium", "playwright install", "LANE_CHROMIUM"))
