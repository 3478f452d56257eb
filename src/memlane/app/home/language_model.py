"""The language model the settings name, and what asking it leaves: money spent, tries, answers not yet journaled.

Catching, labels and dreams ask the same one, within one day's caps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

import msgspec

from memlane.app.home import Home
from memlane.catch.model.records import Answers, Tries, TriesFile
from memlane.config import Config
from memlane.llm import (
    MAILBOX,
    BreakerState,
    Caps,
    GuardedLlm,
    Llm,
    LlmBreaker,
    LlmSpec,
    SessionMailbox,
    Spend,
    SpendByDay,
    llm,
)
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

T = TypeVar("T", bound=msgspec.Struct)


def folder(home: Home) -> Path:
    """What catching keeps that is not derived: money spent, answers not yet journaled, windows handed out."""
    return home.config.home / "catch"


def asking_folder(home: Home) -> Path:
    """Where a headless agent is run. What it does there is ours: capture leaves all of `catch/` alone."""
    return folder(home) / "asking"


def mailbox(home: Home) -> SessionMailbox:
    """Questions for an agent's open session."""
    return SessionMailbox(folder(home) / MAILBOX)


def kept(home: Home, name: str, type: type[T]) -> JsonFile[T]:
    lock = partial(WriteLock.held, WriteLock(home.run_folder / f"{name}.lock"))
    return JsonFile(folder(home) / f"{name}.json", type, home.disk, lock)


def spend(home: Home) -> Spend:
    caps = Caps(home.config.number("catch.daily_dollars"), home.config.count("catch.daily_windows"))
    return Spend(kept(home, "spend", SpendByDay), caps, home.clock)


def tries(home: Home) -> Tries:
    """Also which Windows were set aside, for whoever shows them."""
    return Tries(kept(home, "tries", TriesFile), home.clock)


def answers(home: Home) -> Answers:
    return Answers(folder(home) / "answers", home.disk, home.clock)


def forget_answers(home: Home, run: str) -> None:
    """Of a Run that is forgotten for good."""
    answers(home).forget(run)
    tries(home).again([run])


def guarded_llm(home: Home, *, anew: bool = False) -> GuardedLlm:
    """`anew`: a person waits for it, so it is asked even if it was down a moment ago."""
    model, breaker = chosen_llm(home), breaker_of(home)
    if anew:
        breaker.begin_anew()
    return GuardedLlm(model, spend(home), breaker, Random())


def breaker_of(home: Home) -> LlmBreaker:
    """Trouble with other settings is no trouble with these."""
    spec = repr(llm_spec(home.config, home.config.text))
    who = hashlib.blake2b(spec.encode(), digest_size=8).hexdigest()
    return LlmBreaker(kept(home, "breaker", BreakerState), who, home.clock)


def chosen_llm(home: Home) -> Llm:
    return llm_of(home, llm_spec(home.config, home.config.text))


def llm_of(home: Home, spec: LlmSpec) -> Llm:
    agents = home.agents
    return llm(spec, agents.outside_runs(home.config.variables), asking_folder(home), agents.headless)


def llm_spec(config: Config, text: Callable[[str], str]) -> LlmSpec:
    return LlmSpec(
        model=text("catch.model"),
        name=text("catch.name"),
        url=text("catch.url"),
        key_variable=text("catch.key_variable"),
        command=text("catch.command"),
        timeout=config.number("catch.timeout"),
    )
