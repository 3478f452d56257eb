"""`gemini`: how Gemini CLI answers one question, and what the JSON it prints says.

It always keeps a transcript, under the name of the folder it ran in: ours, so all of them there are removed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from memlane.agents.headless import HeadlessOutput, PlainHeadless

_INSTRUCTIONS = "system.md"
_BEGIN = b"\n{\n"  # of the document, after whatever else it says when it fails
_SETTINGS: Mapping[str, object] = {
    "tools": {"core": []},
    "hooksConfig": {"enabled": False},
    "skills": {"enabled": False},
    "context": {"fileName": "NONE.md"},
}


class _GeminiTokens(msgspec.Struct):
    prompt: int = 0
    candidates: int = 0
    thoughts: int = 0


class _GeminiModel(msgspec.Struct):
    tokens: _GeminiTokens = msgspec.field(default_factory=_GeminiTokens)


class _GeminiStats(msgspec.Struct):
    models: dict[str, _GeminiModel] = {}


class _GeminiError(msgspec.Struct):
    message: str = ""


class _GeminiOutput(msgspec.Struct):
    """What `-o json` prints."""

    session_id: str
    response: str | None = None
    stats: _GeminiStats = msgspec.field(default_factory=_GeminiStats)
    error: _GeminiError | None = None


@dataclass(frozen=True, slots=True)
class GeminiHeadless(PlainHeadless):
    command: str = "gemini"
    plan: str = "Google plan"
    company: str = "Google"
    usual_model: str = "gemini-2.5-flash-lite"
    priced_as: str = "gemini-2.5-flash"

    def options(self, model: str, system: str, own: Path, *, quiet: bool) -> Sequence[str]:  # noqa: ARG002
        return ["-m", model or self.usual_model, "--skip-trust", "-e", "none", "-o", "json"]

    def files(self, system: str, folder: Path, own: Path) -> Mapping[Path, str]:
        return {own / _INSTRUCTIONS: system, folder / ".gemini" / "settings.json": json.dumps(_SETTINGS)}

    def settings(self, system: str, own: Path) -> Mapping[str, str]:  # noqa: ARG002
        return {"GEMINI_SYSTEM_MD": str(own / _INSTRUCTIONS)}

    def leftovers(self, folder: Path, variables: Mapping[str, str]) -> Sequence[Path]:
        home = variables.get("GEMINI_CLI_HOME") or variables.get("HOME", "")
        roots = Path(home, ".gemini", "tmp").glob("*/.project_root") if home else ()
        return [root.parent / "chats" for root in roots if _names(root, folder)]

    def overhead(self, *, quiet: bool) -> int:  # noqa: ARG002
        return 500

    def output(self, printed: bytes) -> HeadlessOutput | None:
        try:
            found = msgspec.json.decode(printed[printed.rfind(_BEGIN) + 1 :], type=_GeminiOutput)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        if found.response is None:
            return HeadlessOutput(found.error.message if found.error else "no answer", failed=True)
        used = [model.tokens for model in found.stats.models.values()]
        tokens_out = sum(each.candidates + each.thoughts for each in used)
        return HeadlessOutput(found.response, tokens_in=sum(each.prompt for each in used), tokens_out=tokens_out)


def _names(root: Path, folder: Path) -> bool:
    with suppress(OSError, UnicodeDecodeError):
        return root.read_text().strip() == str(folder)
    return False
