"""`lane catch setup`: who reads runs for memories; `lane catch --estimate`: what a model would cost."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from memlane.config import Config, Value
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import many

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.catch import CatchEstimate, Headless

CHOICES = ("embedded", "ollama", "claude", "anthropic", "openai", "command", "agent", "none")
MODEL: Mapping[str, Value] = {
    "catch.with": "model",
    "catch.name": "",
    "catch.url": "",
    "catch.key_variable": "",
    "catch.command": "",
}


@dataclass(frozen=True, slots=True)
class ExtractorOffer:
    """One way to read, as it can be had here."""

    name: str
    title: str
    about: Sequence[str]
    settings: Mapping[str, Value]


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
    from memlane.app.home import save_settings

    with screen.lane() as lane:
        plans = [_by_plan(agent) for agent in lane.catch.model.headless]
        offers = _offers(screen.config, lane.catch.model.at_ollama(), plans)
        chosen = _named(wanted, [*offers, *plans], given) if wanted else _asked(screen, lane, offers)
        if chosen is None:
            screen.say("Nothing was changed.")
            return
        settings: dict[str, Value] = {**chosen.settings, **_given(chosen, given)}
        if settings["catch.with"] == "model":  # what would not work is said now, not by a timer at night
            lane.catch.model.would_do({name: str(value) for name, value in settings.items()})
    if budget is not None:
        settings["catch.daily_dollars"] = budget
    save_settings(screen.config, settings)
    if screen.json:
        screen.emit("lane.catch.setup/1", {"chosen": chosen.name, "settings": settings})
        return
    screen.line(f"{chosen.title}. {_next(chosen)}")


def _offers(config: Config, local: Sequence[str], plans: Sequence[ExtractorOffer]) -> list[ExtractorOffer]:
    """What can be had on this computer."""
    offers = [
        ExtractorOffer(
            "embedded",
            "Built-in classifier only",
            ["no model; nothing leaves this machine"],
            {"catch.with": "embedded"},
        )
    ]
    if local:
        about = [f"ollama is running here: {local[0]}", "0 paid tokens"]
        url = "http://127.0.0.1:11434/v1"
        offers.append(
            ExtractorOffer(
                "ollama",
                "Model, local",
                about,
                {**MODEL, "catch.model": "openai", "catch.url": url, "catch.name": local[0]},
            )
        )
    offers += [offer for offer in plans if shutil.which(offer.name, path=config.variables.get("PATH"))]
    for name, key in (("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY")):
        if config.variables.get(key):
            about = [f"with the key in {key}"]
            offers.append(
                ExtractorOffer(name, f"Model, {name}", about, {**MODEL, "catch.model": name, "catch.key_variable": key})
            )
    agent = ExtractorOffer(
        "agent", "Agent", ["the agent you work in reads, one window at a time"], {"catch.with": "embedded"}
    )
    return [*offers, agent]


def _by_plan(agent: Headless) -> ExtractorOffer:
    about = [f"through `{agent.command}`; uses part of your plan's limit"]
    settings = {**MODEL, "catch.model": "command", "catch.command": agent.command}
    return ExtractorOffer(agent.command.split()[0], f"Model, {agent.plan}", about, settings)


def _asked(screen: Screen, lane: Lane, offers: Sequence[ExtractorOffer]) -> ExtractorOffer | None:
    if screen.json or not sys.stdin.isatty():
        raise UsageError(
            "this terminal cannot answer questions (no TTY)", hint="lane catch setup --with embedded|ollama|agent|…"
        )
    found = lane.catch.model.estimate()
    screen.say("Find more memories in your history?  (decisions, preferences, lessons)\n")
    screen.say(
        f"{many(found.windows, 'window')} to read, about {tokens(found.tokens_in)}; daily limit in dollars: "
        f"{found.caps.dollars:.2f}\n"
    )
    for number, offer in enumerate(offers, 1):
        screen.say(f"  {number}  {offer.title:<20}{offer.about[0]}")
        for line in offer.about[1:]:
            screen.say(f"     {'':<20}{line}")
    screen.say(f"  {len(offers) + 1}  Not now\n")
    number: int = click.prompt(
        "Which", type=click.IntRange(1, len(offers) + 1), default=len(offers) + 1, err=True, show_default=True
    )
    return offers[number - 1] if number <= len(offers) else None


def _named(wanted: str, offers: Sequence[ExtractorOffer], given: dict[str, str]) -> ExtractorOffer:
    for offer in offers:
        if offer.name == wanted:
            return offer
    match wanted:
        case "none":
            return ExtractorOffer("none", "Automatic reading is off", [], {"catch.with": "none"})
        case "anthropic" | "openai":
            return ExtractorOffer(wanted, f"Model, {wanted}", [], {**MODEL, "catch.model": wanted})
        case "command" if given["line"]:
            return ExtractorOffer("command", "Model, by a command", [], {**MODEL, "catch.model": "command"})
        case "command":
            raise UsageError("which command?", hint='lane catch setup --with command --command "claude -p"')
        case _:
            raise UsageError(
                "Ollama does not answer at 127.0.0.1:11434, or has no model", hint="ollama serve; ollama pull qwen3:8b"
            )


def _given(chosen: ExtractorOffer, given: dict[str, str]) -> dict[str, Value]:
    if chosen.settings["catch.with"] != "model":
        return {}
    names = {"name": "catch.name", "url": "catch.url", "key_variable": "catch.key_variable", "line": "catch.command"}
    return {setting: given[name] for name, setting in names.items() if given[name]}


def _next(chosen: ExtractorOffer) -> str:
    if chosen.name == "agent":
        return "Tell your agent: run `lane catch next` and follow it until it says you are done."
    if chosen.settings["catch.with"] == "none":
        return "Nothing is read automatically. By hand: lane catch --with embedded"
    if chosen.settings.get("catch.model") in ("anthropic", "openai"):
        return (
            "The timer reads new runs. To read the rest now: lane catch\n"
            "The timer does not see shell exports. If the model needs a key, also put its variable into\n"
            "~/.config/environment.d/lane.conf (mode 600)."
        )
    return "The timer reads new runs. To read the rest now: lane catch"


def estimated(screen: Screen, lane: Lane, runs: Sequence[str]) -> None:
    with ProgressBar(screen.columns, quiet=screen.json) as progress:
        found = lane.catch.model.estimate(
            runs, on=lambda n, of: progress.show(ProgressStep("looking", n, of, n / max(1, of)))
        )
    if screen.json:
        screen.emit("lane.catch.estimate/1", _document(found))
        return
    screen.line(
        f"{many(found.windows, 'window')} no model or agent has read: about {tokens(found.tokens_in)} in, "
        f"{tokens(found.tokens_out)} out"
    )
    screen.line(priced(found))
    today, caps = found.today, found.caps
    screen.line(
        f"today: ${today.dollars:.2f} of ${caps.dollars:.2f}, {today.asks} of {caps.asks} questions{_days(found)}"
    )


def _days(found: CatchEstimate) -> str:
    """How long the caps make it last."""
    by_asks = found.windows / found.caps.asks if found.caps.asks else 0
    by_dollars = (found.dollars or 0) / found.caps.dollars if found.caps.dollars else 0
    days = math.ceil(max(by_asks, by_dollars))
    return f"; at these caps about {days} days" if found.model and days > 1 else ""


def priced(found: CatchEstimate) -> str:
    if not found.model:
        return f"no model reads here ({found.why}): lane catch setup"
    if found.dollars is None:
        return f"{found.model}: price unknown; catch.daily_windows limits it"
    return f"{found.model}: about ${found.dollars:.2f}" if found.dollars else f"{found.model}: 0 paid tokens"


def tokens(count: int) -> str:
    if count >= 1_000_000:
        return f"{count / 1_000_000:.1f} M tokens"
    return f"{count / 1000:.0f} k tokens" if count >= 1000 else f"{count} tokens"


def _document(found: CatchEstimate) -> dict[str, object]:
    return {
        "windows": found.windows,
        "tokens_in": found.tokens_in,
        "tokens_out": found.tokens_out,
        "dollars": found.dollars,
        "model": found.model or None,
        "why": found.why,
        "today": {"dollars": found.today.dollars, "asks": found.today.asks},
        "caps": {"dollars": found.caps.dollars, "asks": found.caps.asks},
    }
