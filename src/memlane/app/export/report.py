"""What an export says about itself: its files, what was masked in it, and the card beside it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from memlane import export
from memlane.domain import RunSummary

NATIVE, PARQUET, HTML = "native", "parquet", "html"
CARD, MANIFEST, REPORT, INDEX = "README.md", "manifest.json", "masked.jsonl", "index.html"
_OTHERS = {
    NATIVE: "each agent's own lines; a line without a secret is unchanged",
    PARQUET: f"one table each for {', '.join(export.TABLES)}",
}


@dataclass(frozen=True, slots=True)
class MaskedPlace:
    """Secrets of one kind in one place: a Step, or a line of the agent's own file."""

    run: str
    place: str
    rule: str
    count: int


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file of an export, as its manifest names it."""

    path: str
    bytes: int
    sha256: str


@dataclass(slots=True)
class ExportReport:
    """What was written, what was masked in it, and which Runs could not be read."""

    folder: Path
    format: str
    runs: list[RunSummary] = field(default_factory=list[RunSummary])
    turns: int = 0
    files: list[ExportFile] = field(default_factory=list[ExportFile])
    masked: list[MaskedPlace] = field(default_factory=list[MaskedPlace])
    set_aside: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    @property
    def rules(self) -> Counter[str]:
        found = Counter[str]()
        for place in self.masked:
            found[place.rule] += place.count
        return found

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)

    def path_of(self, run: RunSummary) -> str:
        """Its file in the folder; tables have no file for each."""
        if self.format == PARQUET:
            return ""
        suffix = export.FORMATS[self.format].suffix if self.format in export.FORMATS else ".jsonl"
        return f"{run.agent}/{f'{run.started:%Y-%m-%d}-' if run.started else ''}{run.id}{suffix}"

    @property
    def contents(self) -> list[tuple[RunSummary, str]]:
        return [(run, self.path_of(run)) for run in self.runs]

    def card(self) -> str:
        """What a person reads first beside the files."""
        agents = Counter(run.agent for run in self.runs)
        days = sorted(f"{run.started:%Y-%m-%d}" for run in self.runs if run.started)
        what = export.FORMATS[self.format].what if self.format in export.FORMATS else _OTHERS[self.format]
        lines = [
            "# Runs of coding agents",
            "",
            f"Exported by Memory Lane as `{self.format}`: {what}.",
            "",
            f"- {len(self.runs):,} runs, {self.turns:,} turns",
            f"- agents: {', '.join(f'{name} ({n:,})' for name, n in agents.most_common()) or 'none'}",
            f"- from {days[0]} to {days[-1]}" if days else "- no dates",
            f"- {sum(self.rules.values()):,} secrets masked; `{REPORT}` lists each place and rule, never the secret",
            f"- `{MANIFEST}` has the SHA-256 of every file",
        ]
        if self.format != PARQUET and self.runs:
            lines += ["", "## Runs", "", *export.markdown_contents(self.contents)]
        return "\n".join(lines) + "\n"
