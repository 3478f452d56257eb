"""All sample runs (those of ferry-api are in `ferry`), and what is typed in the demo besides them."""

from __future__ import annotations

from memlane.demo.ferry import FERRY_RUNS, planted_secret
from memlane.demo.sample import CLAUDE_CODE, CODEX, POSTCARDS, TIDES, SamplePrompt, SampleRun, bash, edit, read

LEAP_DAY = SampleRun(
    key="leap-day",
    agent=CLAUDE_CODE,
    at=TIDES,
    days_ago=18,
    hour=8,
    title="29 February is missing",
    asked=(
        SamplePrompt(
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

SLOW_IMPORT = SampleRun(
    key="slow-import",
    agent=CODEX,
    at=TIDES,
    days_ago=11,
    hour=13,
    title="Make the import faster",
    asked=(
        SamplePrompt(
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

STAY_WITH_SQLITE = SampleRun(
    key="stay-with-sqlite",
    agent=CLAUDE_CODE,
    at=TIDES,
    days_ago=4,
    hour=15,
    title="Parquet or SQLite",
    asked=(
        SamplePrompt(
            "Ines proposes Parquet for the tables. what speaks against it?",
            (
                "For one year per harbour both are small. Parquet would halve the size; SQLite lets the viewer read "
                "single days without loading a file, and needs nothing installed.",
            ),
        ),
        SamplePrompt(
            "then we stay with SQLite, because the viewer must run without installing anything. write that down",
            (
                edit("README.md", "## Storage", "## Storage\n\nSQLite: the viewer needs nothing installed."),
                "Noted in the README.",
            ),
        ),
    ),
)

TIDE_RUNS = (LEAP_DAY, SLOW_IMPORT, STAY_WITH_SQLITE)


INTRODUCTION = SampleRun(
    key="introduction",
    agent=CLAUDE_CODE,
    at=POSTCARDS,
    days_ago=9,
    hour=19,
    title="A shorter introduction",
    asked=(
        SamplePrompt(
            "the introduction on the first page is too long, two sentences at most",
            (
                read("index.html", "<p>Welcome to this collection of postcards, which I have gathered …</p>"),
                edit("index.html", "Welcome to this collection", "Postcards from twelve harbours."),
                "Two sentences now: what it is, and where the pictures were taken.",
            ),
        ),
    ),
)

THUMBNAILS = SampleRun(
    key="thumbnails",
    agent=CODEX,
    at=POSTCARDS,
    days_ago=3,
    hour=20,
    title="Smaller pictures",
    asked=(
        SamplePrompt(
            "make thumbnails of all pictures, 400 pixels wide, keep the originals",
            (
                bash("python make_thumbnails.py pictures/ thumbs/ --width 400", "48 pictures, 31 MB -> 1.9 MB"),
                "48 thumbnails in `thumbs/`; the originals are untouched.",
            ),
        ),
    ),
)

PRINT_SHEET = SampleRun(
    key="print-sheet",
    agent=CLAUDE_CODE,
    at=POSTCARDS,
    days_ago=1,
    hour=18,
    title="The right margin is cut off",
    asked=(
        SamplePrompt(
            "the print sheet cuts off the right margin",
            (
                read("print.css", "@page { size: A4; margin: 0 } .card { width: 105mm }"),
                edit("print.css", "width: 105mm", "width: 100mm"),
                "Two cards of 105 mm fill the page to its edge, and printers leave out 5 mm. They are 100 mm wide now.",
            ),
        ),
        SamplePrompt("thanks, that fits", ("Good.",)),
    ),
)

POSTCARD_RUNS = (INTRODUCTION, THUMBNAILS, PRINT_SHEET)


RUNS: tuple[SampleRun, ...] = (*FERRY_RUNS, *TIDE_RUNS, *POSTCARD_RUNS)

__all__ = ["RUNS", "planted_secret"]


LOOKED_FOR = "connection refused after deploy"
NOTE = "A new package must also be added to the COPY list in the Dockerfile, or the worker stops with ENOENT."
RELATED = "the worker crashloops since I added the invoices package, please fix it"
UNRELATED = "translate the harbour names on the landing page into German"
