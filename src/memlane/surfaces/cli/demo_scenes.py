"""The whole loop, scene by scene: each does something with the real verbs and tells what came of it.

Knows a Lane on a home full of sample runs; does not know how a scene is printed. Nothing told here is written down
beforehand: every number is counted, and what is claimed is compared first.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import cast

from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.app.search import FoundTurn
from memlane.demo import LOOKED_FOR, NOTE, RELATED, UNRELATED, SampleTranscript, planted_secret
from memlane.domain import Address, Level, RunFilter, RunSummary
from memlane.surfaces.cli.text import many, one_line, size

AGENT = "claude-code"
EVENT = "UserPromptSubmit"
SHOWN_RUNS = 2
PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class Scene:
    """What was done and what came of it: for programs in `data`, for people in `lines`."""

    name: str
    title: str
    data: Mapping[str, object]
    lines: Sequence[str]
    good: bool = True
    quoted: str = ""  # text another program gets, shown as it is


class DemoLoop:
    """Capture, find, catch, remember, recall, be silent, lose the index, check every byte, hide a secret."""

    def __init__(self, lane: Lane, home: Path, written: Sequence[SampleTranscript]) -> None:
        self._lane = lane
        self._home = home
        self._written = written
        self._workplace = home / "code" / "ferry-api"
        self._runs: Sequence[RunSummary] = ()

    def scenes(self) -> Iterator[Scene]:
        yield self._transcripts()
        yield self._capture()
        yield self._search()
        yield self._catch()
        yield self._remember()
        yield self._related()
        yield self._unrelated()
        yield self._rebuild()
        yield self._verify()
        yield self._secret()

    # -- what is there ---------------------------------------------------------------------------------------------

    def _transcripts(self) -> Scene:
        files = sorted(self._written, key=lambda one: one.sample.agent)
        agents = {agent: list(theirs) for agent, theirs in groupby(files, key=lambda one: one.sample.agent)}
        totals = {agent: sum(one.size for one in theirs) for agent, theirs in agents.items()}
        days = max(one.sample.days_ago for one in files)
        data = {agent: {"transcripts": len(agents[agent]), "bytes": total} for agent, total in totals.items()}
        lines = [
            f"{agent:<12} {many(len(theirs), 'transcript'):<15} {size(totals[agent]):>6}   {self._folder(theirs)}"
            for agent, theirs in agents.items()
        ]
        title = f"{many(len(files), 'transcript')} of {many(len(agents), 'agent')} from {days} days"
        return Scene("transcripts", title, data, lines)

    def _folder(self, files: Sequence[SampleTranscript]) -> str:
        return "~/" + "/".join(files[0].path.relative_to(self._home).parts[:2])

    def _capture(self) -> Scene:
        report = self._lane.capture.sweep()
        self._runs = self._lane.runs.select(RunFilter())
        equal = sum(self._raw(run) == Path(run.source_path).read_bytes() for run in self._runs)
        turns, children = sum(run.turns for run in self._runs), sum(run.relation == "subagent" for run in self._runs)
        projects = {run.project.key for run in self._runs}
        data = {
            "runs": len(report.changes),
            "turns": turns,
            "projects": len(projects),
            "bytes": report.bytes,
            "subagents": children,
            "set_aside": len(report.set_aside),
            "equal_to_the_agents_files": equal,
            "seconds": round(report.seconds, 2),
        }
        lines = [
            f"{many(len(report.changes), 'run')}, {many(turns, 'turn')}, {many(len(projects), 'project')}, "
            f"{size(report.bytes)}, in {report.seconds:.1f} s; {many(len(report.set_aside), 'file')} set aside",
            f"{equal} of {len(self._written)} copies equal their agent's file, byte for byte",
            f"{many(children, 'subagent')} found under the run that started it",
        ]
        good = equal == len(report.changes) == len(self._written) and not report.set_aside
        return Scene("capture", "lane capture", data, lines, good)

    def _raw(self, run: RunSummary) -> bytes:
        return b"".join(self._lane.runs.raw(run.id))

    # -- find, remember, recall ------------------------------------------------------------------------------------

    def _search(self) -> Scene:
        began = time.perf_counter()
        found = self._lane.search.find(LOOKED_FOR, RunFilter(), 20).search
        took = (time.perf_counter() - began) * 1000
        best = _best_of_each_run(found.best)[:SHOWN_RUNS]
        data = {
            "query": LOOKED_FOR,
            "turns": found.turns,
            "runs": found.runs,
            "best": [str(_address(hit)) for hit in best],
            "ms": round(took, 1),
        }
        lines = [f"{many(found.turns, 'turn')} in {many(found.runs, 'run')}, {took:.0f} ms; the best {len(best)}:"]
        for hit in best:
            lines.append(f"{hit.run.title}   {_address(hit)}   {hit.run.agent}")
            lines.append(f"   {one_line(hit.snippet)}")
        return Scene("search", f'lane search "{LOOKED_FOR}"', data, lines, good=bool(found.best))

    def _catch(self) -> Scene:
        """What the classifier inside the package is sure of. It keeps little, and says where it has it from."""
        report = self._lane.catch.run()
        data = {"windows": report.kept.windows, "memories": [memory.id for memory in report.kept.made]}
        lines = [f"{many(report.kept.windows, 'window')} read, {len(report.kept.made)} kept, without a model:"]
        for memory in report.kept.made:
            said = memory.evidence[0]
            lines += [f"{memory.type.value}: {one_line(memory.title)}", f'  from {said.step}: "{one_line(said.quote)}"']
        return Scene("catch", "$ lane catch", data, lines, good=bool(report.kept.made))

    def _remember(self) -> Scene:
        memory = self._lane.memories.remember(NOTE, self._workplace)
        data = {"memory": memory.id, "project": memory.project, "state": memory.state}
        lines = [f"kept as {memory.id}: {memory.state.value}, for {memory.project}"]
        return Scene("remember", f'lane remember "{NOTE}"', data, lines)

    def _related(self) -> Scene:
        answer, took = self._prompted(RELATED)
        told = cast(Mapping[str, str], answer.output.get("hookSpecificOutput", {}))
        brief = told.get("additionalContext", "")
        shown = answer.recall.shown if answer.recall else ()
        data = {"prompt": RELATED, "shown": [m.memory.id for m in shown], "brief": brief, "ms": round(took, 1)}
        lines = [f"the hook gives the agent this, after {took:.0f} ms:"]
        return Scene("recall", f'The next day, in Claude Code: "{RELATED}"', data, lines, bool(shown), brief)

    def _unrelated(self) -> Scene:
        answer, took = self._prompted(UNRELATED)
        why = answer.recall.why if answer.recall else ""
        data = {"prompt": UNRELATED, "output": dict(answer.output), "why": why, "ms": round(took, 1)}
        lines = [f"the agent gets nothing. lane why: {why}"]
        return Scene("silence", f'And: "{UNRELATED}"', data, lines, good=not answer.output)

    def _prompted(self, prompt: str) -> tuple[HookAnswer, float]:
        """As the daemon answers a hook: first the answer, then it is written down."""
        given = {"session_id": "demo", "cwd": str(self._workplace), "hook_event_name": EVENT, "prompt": prompt}
        began = time.perf_counter()
        answer = self._lane.recall.hooked(AGENT, EVENT, given)
        took = (time.perf_counter() - began) * 1000
        if answer.recall is not None:
            self._lane.recall.keep(answer.recall)
        return answer, took

    # -- lose, check, hide -----------------------------------------------------------------------------------------

    def _rebuild(self) -> Scene:
        before = self._answers()
        index = self._lane.home.index_folder
        self._lane.close()
        shutil.rmtree(index)
        rebuilt = self._lane.archive.rebuild()
        same = [name for name, answer in self._answers().items() if answer == before[name]]
        data = {"runs": rebuilt.runs, "journal_lines": rebuilt.journal_lines, "compared": len(before), "same": same}
        lines = [
            f"{many(rebuilt.runs, 'run')}, {many(rebuilt.journal_lines, 'journal line')} read again from the archive",
            f"{len(same)} of {len(before)} answers unchanged: {', '.join(same)}",
        ]
        return Scene("rebuild", "rm -r ~/.memlane/index; lane rebuild", data, lines, good=len(same) == len(before))

    def _answers(self) -> dict[str, object]:
        return {
            "runs": list(self._lane.runs.select(RunFilter())),
            "search": self._lane.search.find(LOOKED_FOR, RunFilter(), 20),
            "memories": list(self._lane.memories.all()),
            "recalls": list(self._lane.recall.newest()),
        }

    def _verify(self) -> Scene:
        findings = list(self._lane.archive.verify())
        bad = [finding for finding in findings if finding.level is Level.FAIL]
        files = [file for file in self._lane.config.archive_base.rglob("*") if file.is_file()]
        total = sum(file.stat().st_size for file in files)
        data = {"files": len(files), "bytes": total, "damaged": len(bad)}
        lines = [f"{many(len(files), 'file')}, {size(total)}, every byte checked: {len(bad)} damaged"]
        return Scene("verify", "lane archive verify", data, lines, good=not bad)

    def _secret(self) -> Scene:
        secret = planted_secret()
        run = next(run for run in self._runs if secret.encode() in self._raw(run))
        shown = [line for line in self._shown(run) if "[masked" in line]
        ours = [file for file in (self._home / ".memlane").rglob("*") if file.is_file() and file.suffix != ".raw"]
        leaks = [file for file in ours if secret.encode() in file.read_bytes()]
        mode = max(file.stat().st_mode & 0o777 for file in self._lane.config.archive_base.rglob("*.raw"))
        data = {"run": run.id, "shown": shown, "files_looked_into": len(ours), "files_with_it": len(leaks)}
        lines = [
            *(f"lane show         {line}" for line in shown[:1]),
            f"index, journal    the token is in {len(leaks)} of {many(len(ours), 'file')}",
            f"lane show --raw   the {len(self._raw(run)):,} bytes its agent wrote, token included; mode {mode:o}",
        ]
        good = mode == PRIVATE and bool(shown) and not leaks and not any(secret in line for line in self._shown(run))
        return Scene("secret", "A token was printed in one of the runs", data, lines, good)

    def _shown(self, run: RunSummary) -> Iterator[str]:
        for turn in self._lane.runs.show(run.id).turns:
            for step in turn.steps:
                yield from (step.call.result if step.call else step.text).splitlines()


def _best_of_each_run(found: Sequence[FoundTurn]) -> list[FoundTurn]:
    best: dict[str, FoundTurn] = {}
    for hit in found:
        best.setdefault(hit.run.id, hit)
    return list(best.values())


def _address(hit: FoundTurn) -> Address:
    return Address(hit.chunk.run, hit.chunk.turn)
