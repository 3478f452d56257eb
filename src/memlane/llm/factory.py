"""Which language model, as settings name it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane.llm import anthropic, openai
from memlane.llm.command import CommandLlm, KnownProgram
from memlane.llm.http import ASKER
from memlane.llm.model import Llm, LlmError
from memlane.llm.session import USUAL, SessionLlm, SessionMailbox
from memlane.system.http_client import variable

MODELS = ("anthropic", "openai", "command", "session")
MAILBOX = "session"  # beside the folder where commands run


@dataclass(frozen=True, slots=True)
class LlmSpec:
    """It names the variable that holds a key, never the key."""

    model: str
    name: str = ""
    url: str = ""
    key_variable: str = ""
    command: str = ""
    timeout: float = 120.0


def llm(spec: LlmSpec, variables: Mapping[str, str], folder: Path, programs: Sequence[KnownProgram] = ()) -> Llm:
    """`variables` is the environment, where keys are; `folder` is where a command runs: ours, and never captured;
    `programs` are the commands whose ways are known."""
    match spec.model:
        case "anthropic":
            key = variable(spec.key_variable or anthropic.KEY, variables, ASKER)
            return anthropic.Anthropic(spec.name, spec.url, key, spec.timeout)
        case "openai":
            usual = "" if spec.url else openai.KEY
            key = variable(spec.key_variable or usual, variables, ASKER)
            return openai.OpenAI(spec.name, spec.url, key, spec.timeout)
        case "command":
            return CommandLlm(spec.command, spec.name, folder, variables, spec.timeout, programs)
        case "session":
            return SessionLlm(SessionMailbox(folder.with_name(MAILBOX)), spec.name or USUAL, spec.timeout)
        case _:
            raise LlmError(
                f"there is no model {spec.model!r}" if spec.model else "no model is chosen",
                "lane catch setup",
            )
