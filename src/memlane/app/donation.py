"""Runs given to everybody: shown whole before anything leaves, cut by the person, and written down as consented to."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memlane import export, store
from memlane.app.home import Home
from memlane.app.home.journal import ActLine
from memlane.app.runs import Runs
from memlane.domain import Address, RunSummary, Step, Turn, derived_id
from memlane.domain.journal import DONATION
from memlane.errors import PartlyDoneError, UsageError
from memlane.gate import PersonalData

if TYPE_CHECKING:
    from memlane.app.home.journal import ActWriter

FORMATS = ("sts", "neutral", "atif")
AROUND = 40  # characters shown on each side of what was masked
_MARKED = re.compile(r"\[masked: ([a-z0-9-]+)\]")


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """What was masked where, with the words around it."""

    place: str
    rule: str
    around: str


@dataclass(slots=True)
class DonationPlan:
    """All of it, byte for byte as it would leave, in a folder that only its owner can read."""

    runs: Sequence[RunSummary]
    folder: Path
    files: Mapping[str, int] = field(default_factory=dict[str, int])
    spans: list[MaskedSpan] = field(default_factory=list[MaskedSpan])
    left_out: int = 0  # turns

    @property
    def rules(self) -> Counter[str]:
        return Counter(span.rule for span in self.spans)


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

    def plan(self, runs: Sequence[RunSummary], form: str, without: Sequence[str]) -> DonationPlan:
        """Nothing leaves: all is written into a temporary folder. `without` names Runs, Turns or Steps."""
        left_out = {str(self._runs.address(one)) for one in without}
        plan = DonationPlan(
            [run for run in runs if run.id not in left_out], Path(tempfile.mkdtemp(prefix="lane-donate-"))
        )
        try:
            plan.files = dict(self._written(plan, form, left_out))
        except BaseException:
            self.drop(plan)
            raise
        return plan

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
        shutil.rmtree(plan.folder, ignore_errors=True)

    def _written(self, plan: DonationPlan, form: str, left_out: set[str]) -> Iterator[tuple[str, int]]:
        config = self._home.config
        personal = PersonalData((config.user, config.machine, config.person_home.name))
        for run in plan.runs:
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
            masked = personal.masked(Turn(turn.n, turn.author, kept, turn.at))
            for step in masked.steps:
                plan.spans += _spans(str(Address(run.id, turn.n, step.n)), step)
            yield masked


def _spans(place: str, step: Step) -> Iterator[MaskedSpan]:
    call = step.call
    texts = (step.text, json.dumps(dict(call.input), ensure_ascii=False), call.result) if call else (step.text,)
    for text in texts:
        for found in _MARKED.finditer(text):
            around = text[max(0, found.start() - AROUND) : found.end() + AROUND]
            yield MaskedSpan(place, found[1], " ".join(around.split()))
