"""`lane catch setup`: who reads runs for memories; `lane catch --estimate`: what a model would cost."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from memlane.config import Value
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.extractor_choice import ask, tokens
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import many

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.catch import CatchEstimate, ExtractorOffer

CHOICES = (
    "embedded",
    "claude-session",
    "claude",
    "codex",
    "gemini",
    "copilot",
    "opencode",
    "pi",
    "ollama",
    "llama-server",
    "lm-studio",
    "anthropic",
    "openai",
    "command",
    "agent",
    "none",
)


@frame.command(
    "setup",
    examples="lane catch setup\nlane catch setup --with ollama --name qwen3:8b\nlane catch setup --with embedded",
)
@click.option("--with", "wanted", type=click.Choice(CHOICES), default=None, help="Choose without a prompt.")
@click.option("--name", default="", help="The model's name at its endpoint.")
@click.option("--url", default="", help="An OpenAI-compatible endpoint.")
@click.option("--key-variable", default="", help="The environment variable that holds its key.")
@click.option("--command", "line", default="", help="A headless agent that takes the prompt on standard input.")
@click.option("--budget", type=click.FloatRange(min=0), default=None, help="Daily limit in dollars.")
def setup(screen: Screen, wanted: str | None, budget: float | None, **given: str) -> None:
    """Choose who reads your runs: the built-in classifier, a model, or your agent. Run it again to change."""
    with screen.lane() as lane:
        chosen = lane.catch.offers.named(wanted, given["line"]) if wanted else _asked(screen, lane)
        if chosen is None:
            screen.say("Nothing was changed.")
            return
        settings = choose(screen, lane, chosen, given, budget)
    if screen.json:
        screen.emit("lane.catch.setup/1", {"chosen": chosen.name, "settings": settings})
        return
    screen.line(f"{chosen.title}. {_next(chosen)}")


def choose(
    screen: Screen, lane: Lane, chosen: ExtractorOffer, given: Mapping[str, str], budget: float | None = None
) -> Mapping[str, Value]:
    """Saved for good, if it could work at all."""
    from memlane.app.home import save_settings

    if chosen.lacks:
        raise UsageError(f"{chosen.title}: {chosen.lacks}", hint="lane catch setup")
    settings: dict[str, Value] = {**chosen.settings, **_given(chosen, given)}
    if settings["catch.with"] == "model":  # what would not work is said now, not by a timer at night
        lane.catch.model.would_do({name: str(value) for name, value in settings.items()})
    if budget is not None:
        settings["catch.daily_dollars"] = budget
    save_settings(screen.config, settings)
    return settings


def _asked(screen: Screen, lane: Lane) -> ExtractorOffer | None:
    if screen.json or not sys.stdin.isatty():
        raise UsageError(
            "this terminal cannot answer questions (no TTY)", hint="lane catch setup --with embedded|claude|ollama|…"
        )
    return ask(screen, lane.catch.offers.here(), lane.catch.offers.size())


def _given(chosen: ExtractorOffer, given: Mapping[str, str]) -> dict[str, Value]:
    if chosen.settings["catch.with"] != "model":
        return {}
    names = {"name": "catch.name", "url": "catch.url", "key_variable": "catch.key_variable", "line": "catch.command"}
    return {setting: given[name] for name, setting in names.items() if given.get(name)}


def _next(chosen: ExtractorOffer) -> str:
    if chosen.name == "agent":
        return "Tell your agent: run `lane catch next` and follow it until it says you are done."
    if chosen.settings["catch.with"] == "none":
        return "Nothing is read automatically. By hand: lane catch --with embedded"
    if chosen.settings["catch.with"] == "embedded":
        return "Nothing leaves this machine. Change it with: lane catch setup"
    if chosen.settings.get("catch.model") in ("anthropic", "openai"):
        return (
            "Reading goes on in the background. To read now: lane catch\n"
            "The timer does not see shell exports. If the model needs a key, also put its variable into\n"
            "~/.config/environment.d/lane.conf (mode 600)."
        )
    return "Reading goes on in the background. To read now: lane catch"


def estimated(screen: Screen, lane: Lane, runs: Sequence[str]) -> None:
    with ProgressBar(screen.columns, quiet=screen.json) as progress:
        found = lane.catch.model.estimate(
            runs, on=lambda n, of: progress.show(ProgressStep("looking", n, of, n / max(1, of)))
        )
    if screen.json:
        screen.emit("lane.catch.estimate/1", _document(found))
        return
    screen.line(
        f"{many(found.windows, 'window')} no model or agent has read: about {many(found.questions, 'question')}, "
        f"{tokens(found.tokens_in)} in, {tokens(found.tokens_out)} out"
    )
    screen.line(priced(found))
    today, caps = found.today, found.caps
    screen.line(
        f"today: ${today.dollars:.2f} of ${caps.dollars:.2f}, {today.asks} of {caps.asks} questions{_days(found)}"
    )


def _days(found: CatchEstimate) -> str:
    """How long the caps make it last."""
    by_asks = found.questions / found.caps.asks if found.caps.asks else 0
    by_dollars = (found.dollars or 0) / found.caps.dollars if found.caps.dollars else 0
    days = math.ceil(max(by_asks, by_dollars))
    return f"; at these caps about {days} days" if found.model and days > 1 else ""


def priced(found: CatchEstimate) -> str:
    if not found.model:
        return f"no model reads here ({found.why}): lane catch setup"
    if found.dollars is None:
        return f"{found.model}: price unknown; catch.daily_windows limits it"
    return f"{found.model}: about ${found.dollars:.2f}" if found.dollars else f"{found.model}: 0 paid tokens"


def _document(found: CatchEstimate) -> dict[str, object]:
    return {
        "windows": found.windows,
        "questions": found.questions,
        "tokens_in": found.tokens_in,
        "tokens_out": found.tokens_out,
        "dollars": found.dollars,
        "model": found.model or None,
        "why": found.why,
        "today": {"dollars": found.today.dollars, "asks": found.today.asks},
        "caps": {"dollars": found.caps.dollars, "asks": found.caps.asks},
    }
