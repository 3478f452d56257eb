"""Runs given to everybody: shown whole before anything leaves, cut by the person, and written down as consented to."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memlane import capture, embed, export, store
from memlane.app.control.rules import never_captured
from memlane.app.home import Home
from memlane.app.home.journal import ActLine
from memlane.app.runs import Runs
from memlane.domain import Address, RunSummary, Step, Turn, derived_id
from memlane.domain.journal import DONATION
from memlane.errors import PartlyDoneError, UsageError
from memlane.gate import MARKED, PersonalData

if TYPE_CHECKING:
    from memlane.app.home.journal import ActWriter

FORMATS = ("sts", "neutral", "atif")
AROUND = 40  # characters shown on each side of what was masked
OnRun = Callable[[int, int, RunSummary], object]


def _quietly(number: int, total: int, run: RunSummary) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """What was masked where, with the words around it: as they would leave, and as they were. A secret never shows."""

    place: str
    rule: str
    around: str
    before: str

    @property
    def lines(self) -> Sequence[str]:
        return [f"@ {self.place}  {self.rule}", f"- {self.before}", f"+ {self.around}"]


@dataclass(slots=True)
class DonationPlan:
    """All of it, byte for byte as it would leave, in a folder that only its owner can read."""

    runs: Sequence[RunSummary]
    folder: Path
    files: Mapping[str, int] = field(default_factory=dict[str, int])
    spans: list[MaskedSpan] = field(default_factory=list[MaskedSpan])
    kept_back: Sequence[tuple[str, str]] = ()  # runs that may not be given, and why
    left_out: int = 0  # turns and steps
    second_look: str = ""  # the model that looked once more

    @property
    def rules(self) -> Counter[str]:
        return Counter(span.rule for span in self.spans)

    @property
    def changes(self) -> Path:
        """Every masked place with its words before and after; it stays here."""
        return self.folder.with_name("masked.diff")


@dataclass(frozen=True, slots=True)
class Donation:
    """What was given, to where, under which licence, as the journal has it."""

    id: str
    target: str
    licence: str
    files: Mapping[str, str]  # name → SHA-256


class Donations:
    def __init__(self, home: Home, runs: Runs, writer: Callable[[], ActWriter]) -> None:
        self._home, self._runs, self._writer = home, runs, writer

    def plan(self, runs: Sequence[RunSummary], form: str, without: Sequence[str], on: OnRun = _quietly) -> DonationPlan:
        """Nothing leaves: all is written into a temporary folder. `without` names Runs, Turns or Steps."""
        left_out = {str(self._runs.address(one)) for one in without}
        kept_back = [(run.id, why) for run in runs if (why := self._may_not_leave(run))]
        stays = left_out | {run for run, _why in kept_back}
        folder = Path(tempfile.mkdtemp(prefix="lane-donate-")) / "files"
        plan = DonationPlan([run for run in runs if run.id not in stays], folder, kept_back=kept_back)
        try:
            folder.mkdir(mode=0o700)
            plan.files = dict(self._written(plan, form, left_out, on))
            plan.changes.write_text("".join(f"{line}\n" for span in plan.spans for line in span.lines))
        except BaseException:
            self.drop(plan)
            raise
        return plan

    def _may_not_leave(self, run: RunSummary) -> str:
        if run.owner != self._home.config.user:
            return f"it is {run.owner}'s"
        pattern = capture.excluded(never_captured(self._home), path=run.source_path, agent=run.agent, cwd=run.cwd)
        return f"{pattern} is excluded" if pattern else ""

    def give(self, plan: DonationPlan, target: str, licence: str) -> Donation:
        """To a folder, an object store or a bucket; the journal has it before anything leaves."""
        if not plan.files:
            raise UsageError("there is nothing to give", hint="choose runs that have turns")
        at = store.opened(target, self._home.config.variables)
        contents = {name: (plan.folder / name).read_bytes() for name in plan.files}
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}
        donation = derived_id("g", at.place, *sorted(digests.values()))
        card = {"licence": licence, "files": digests, "masked": dict(plan.rules), "donation": donation}
        contents["donation.json"] = json.dumps(card, indent=1).encode() + b"\n"
        said = {"target": at.place, "licence": licence, "runs": [run.id for run in plan.runs], "files": digests}
        self._writer().write([ActLine(DONATION, donation, said)])
        at.put(contents)
        wrong = [name for name, data in contents.items() if at.get(name) != data]
        if wrong:
            raise PartlyDoneError(f"{at.place} gave other bytes back for {wrong[0]}", hint="run it again")
        return Donation(donation, at.place, licence, digests)

    def drop(self, plan: DonationPlan) -> None:
        shutil.rmtree(plan.folder.parent, ignore_errors=True)

    def _personal(self, plan: DonationPlan) -> PersonalData:
        config = self._home.config
        names = (config.user, config.machine, config.person_home.name)
        folder = config.text("donate.model")
        if not folder:
            return PersonalData(names)
        model = embed.token_labels(folder, "donate.model")
        plan.second_look = model.name
        return PersonalData(names, model.find)

    def _written(self, plan: DonationPlan, form: str, left_out: set[str], on: OnRun) -> Iterator[tuple[str, int]]:
        personal = self._personal(plan)
        for number, run in enumerate(plan.runs):
            on(number, len(plan.runs), run)
            name = f"{run.agent}/{run.id}{export.FORMATS[form].suffix}"
            file = plan.folder / name
            file.parent.mkdir(mode=0o700, exist_ok=True)
            turns = self._turns(run, personal, plan, left_out)
            pieces = export.FORMATS[form].pieces(personal.masked(run), turns)
            file.write_bytes("".join(pieces).encode("utf-8", "replace"))
            yield name, file.stat().st_size

    def _turns(self, run: RunSummary, personal: PersonalData, plan: DonationPlan, left_out: set[str]) -> Iterator[Turn]:
        for turn in self._runs.show(run.id).turns:
            if str(Address(run.id, turn.n)) in left_out:
                plan.left_out += 1
                continue
            kept = tuple(step for step in turn.steps if str(Address(run.id, turn.n, step.n)) not in left_out)
            plan.left_out += len(turn.steps) - len(kept)
            masked = personal.masked(Turn(turn.n, turn.author, kept, turn.at))
            for step in masked.steps:
                plan.spans += _spans(str(Address(run.id, turn.n, step.n)), step, personal)
            yield masked


def _spans(place: str, step: Step, personal: PersonalData) -> Iterator[MaskedSpan]:
    call = step.call
    texts = (step.text, json.dumps(dict(call.input), ensure_ascii=False), call.result) if call else (step.text,)
    for text in texts:
        for found in MARKED.finditer(text):
            around = text[max(0, found.start() - AROUND) : found.end() + AROUND]
            words = " ".join(around.split())
            yield MaskedSpan(place, found["rule"], words, personal.shown(words))
