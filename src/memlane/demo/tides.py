"""Sample runs in `tide-tables`: a year of tide heights, imported and printed, in Python."""

from __future__ import annotations

from memlane.demo.people import TIDES
from memlane.demo.sample import CLAUDE_CODE, CODEX, Asked, Sample, bash, edit, read

LEAP_DAY = Sample(
    key="leap-day",
    agent=CLAUDE_CODE,
    at=TIDES,
    days_ago=18,
    hour=8,
    title="29 February is missing",
    asked=(
        Asked(
            "the printed table of 2028 has no 29 February",
            (
                read("tides/calendar.py", "def days(year):\n    return [start + timedelta(n) for n in range(365)]\n"),
                "It always makes 365 days. I'll count from 1 January to 1 January instead.",
                edit("tides/calendar.py", "range(365)", "range((date(year + 1, 1, 1) - start).days)"),
                bash("pytest -q tests/test_calendar.py", "6 passed"),
                "2028 has 366 rows now; I added a test for both kinds of year.",
            ),
        ),
    ),
)

SLOW_IMPORT = Sample(
    key="slow-import",
    agent=CODEX,
    at=TIDES,
    days_ago=11,
    hour=13,
    title="Make the import faster",
    asked=(
        Asked(
            "the import takes 9 minutes for one harbour. make it faster without a new dependency",
            (
                bash("python -m tides.load data/2027.csv --profile", "8.9 min, 97 % in sqlite3 commit"),
                "It commits once per row. I'll use one transaction per file.",
                bash("python -m tides.load data/2027.csv", "sqlite3.OperationalError: database is locked", failed=True),
                "The viewer holds a read lock for the whole file. I'll keep transactions at 5,000 rows, so that it can "
                "get in between.",
                bash("python -m tides.load data/2027.csv", "525,600 rows in 6.1 s"),
                "6.1 seconds instead of 9 minutes: 5,000 rows per transaction. One transaction for everything failed "
                "with `database is locked` while the viewer was open.",
            ),
        ),
    ),
)

STAY_WITH_SQLITE = Sample(
    key="stay-with-sqlite",
    agent=CLAUDE_CODE,
    at=TIDES,
    days_ago=4,
    hour=15,
    title="Parquet or SQLite",
    asked=(
        Asked(
            "Ines proposes Parquet for the tables. what speaks against it?",
            (
                "For one year per harbour both are small. Parquet would halve the size; SQLite lets the viewer read "
                "single days without loading a file, and needs nothing installed.",
            ),
        ),
        Asked(
            "then we stay with SQLite, because the viewer must run without installing anything. write that down",
            (
                edit("README.md", "## Storage", "## Storage\n\nSQLite: the viewer needs nothing installed."),
                "Noted in the README.",
            ),
        ),
    ),
)

TIDE_RUNS = (LEAP_DAY, SLOW_IMPORT, STAY_WITH_SQLITE)
