"""Who could read here: agents on the PATH, an endpoint on this computer that answers, a key that is set, or the
built-in classifier alone; and what each would take. Looked for when a person sets it up, and on this computer only."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memlane.agents.headless import Headless
from memlane.app.catch.model import questions
from memlane.app.catch.windows import CatchWindows
from memlane.app.home import Home
from memlane.app.home.language_model import spend
from memlane.catch.model.prompt import Size, size_of
from memlane.config import Value
from memlane.domain import RunFilter, RunSummary
from memlane.errors import UsageError
from memlane.llm import FREE, Caps, Price, local_endpoints, price_of, served, title_of
from memlane.llm.session import OVERHEAD, USUAL

MODEL: Mapping[str, Value] = {
    "catch.with": "model",
    "catch.name": "",
    "catch.url": "",
    "catch.key_variable": "",
    "catch.command": "",
}
KEYS = {"anthropic": ("ANTHROPIC_API_KEY", "Anthropic"), "openai": ("OPENAI_API_KEY", "OpenAI")}
_KEY_MODELS = {"anthropic": "claude-haiku-5-5", "openai": "gpt-5-mini"}
_SECONDS, _LOCAL_SECONDS = 15.0, 60.0  # for one question, about
_ASKED = 1_500  # tokens a schema takes
_PATIENCE = 3.0  # seconds somebody waits for the estimate; the rest is extrapolated
_USUAL = 14  # days that say what a usual one is


@dataclass(frozen=True, slots=True)
class ExtractorOffer:
    """One way to read, as it can be had here. `company` is to whom Windows go; "" where they stay."""

    name: str
    title: str
    settings: Mapping[str, Value]
    paid_by: str = ""  # whose plan or key
    company: str = ""
    through: str = ""  # what is run or asked
    price: Price | None = FREE
    overhead: int = 0
    seconds: float = 0.0
    lacks: str = ""  # why it cannot be chosen now

    @property
    def reads(self) -> bool:
        """More than the built-in classifier does anyway."""
        return self.settings["catch.with"] == "model"


@dataclass(frozen=True, slots=True)
class ReadingSize:
    """What there is to read, and on a usual day, about; questions that are asked twice counted."""

    windows: int
    a_day: float
    questions: float  # for each of them
    tokens_in: float
    tokens_out: float
    caps: Caps

    def cost(self, offer: ExtractorOffer, windows: float) -> float | None:
        """Dollars; None where nobody knows the price."""
        return offer.price.of(round(self.tokens(offer, windows)), round(windows * self._out)) if offer.price else None

    def tokens(self, offer: ExtractorOffer, windows: float) -> float:
        return windows * self.questions * (self.tokens_in / max(1, self.windows) + offer.overhead)

    def seconds(self, offer: ExtractorOffer, windows: float) -> float:
        return windows * self.questions * offer.seconds

    def days(self, offer: ExtractorOffer) -> float:
        """How long the caps make it last."""
        asked = self.windows * self.questions / self.caps.asks if self.caps.asks else 0.0
        paid = (self.cost(offer, self.windows) or 0.0) / self.caps.dollars if self.caps.dollars else 0.0
        return max(asked, paid)

    @property
    def _out(self) -> float:
        return self.questions * self.tokens_out / max(1, self.windows)


class Offers:
    def __init__(self, home: Home, catch: CatchWindows) -> None:
        self._home, self._catch = home, catch

    def here(self) -> Sequence[ExtractorOffer]:
        """The recommended one first, the built-in classifier after all others that work, then what lacks something."""
        path = self._home.config.variables.get("PATH")
        agents = [offer for offer in self.agents() if shutil.which(offer.name, path=path)]
        able, lacking = [one for one in agents if not one.lacks], [one for one in agents if one.lacks]
        inside = [SESSION] if self._has_mod() else []
        return [*inside, *able, *self._keys(), *self._local(), EMBEDDED, *lacking]

    def _has_mod(self) -> bool:
        """Our code has said hello from inside Claude Code."""
        return (self._home.run_folder / "mod-claude-code.json").exists()

    def agents(self) -> Sequence[ExtractorOffer]:
        """Every agent that can read, whether it is here or not."""
        known = [agent for agent in self._home.agents.values() if agent.headless is not None]
        return [self._agent(agent.title, agent.headless) for agent in known if agent.headless is not None]

    def named(self, wanted: str, line: str = "") -> ExtractorOffer:
        """The way to read that a person asks for by name, without a question. `line` is their own command."""
        keys = [self._key(name) for name in KEYS]
        known = {offer.name: offer for offer in (*self.agents(), *keys, *_OTHERS)}
        if wanted in local_endpoints({}):
            known |= {offer.name: offer for offer in self._local()}
        if wanted == "command" and not line:
            raise UsageError("which command?", hint='lane catch setup --with command --command "claude -p"')
        if wanted not in known:
            raise UsageError(f"{wanted} does not answer on this computer, or has no model", hint="is it running?")
        return known[wanted]

    def size(self) -> ReadingSize:
        """Of what no model and no agent has read, from the newest Runs that can be looked at in a moment."""
        home = self._home
        runs = [run for run in home.storage().runs.listed(RunFilter(), home.reader) if not self._catch.skips(run)]
        seen, size = self._sampled(runs)
        all_bytes, seen_bytes = sum(run.bytes for run in runs), sum(run.bytes for run in seen)
        scale = all_bytes / seen_bytes if seen_bytes else 1.0
        since = home.clock() - timedelta(days=_USUAL)
        lately = sum(run.bytes for run in runs if run.ended is not None and run.ended >= since)
        windows = round(size.windows * scale)
        a_day = windows * (lately / all_bytes if all_bytes else 0.0) / _USUAL
        tokens = (size.tokens_in * scale, size.tokens_out * scale)
        return ReadingSize(windows, a_day, questions(home), *tokens, spend(home).caps)

    def _sampled(self, runs: Sequence[RunSummary]) -> tuple[Sequence[RunSummary], Size]:
        began, seen, sizes = time.monotonic(), list[RunSummary](), Size(0, 0, 0)
        for run in runs:
            if seen and time.monotonic() - began > _PATIENCE:
                break
            one = size_of(self._catch.open_windows("model", [run.id]))
            windows, tokens_in = sizes.windows + one.windows, sizes.tokens_in + one.tokens_in
            sizes = Size(windows, tokens_in, sizes.tokens_out + one.tokens_out)
            seen.append(run)
        return seen, sizes

    def _agent(self, title: str, headless: Headless) -> ExtractorOffer:
        name = headless.command.split()[0]
        chosen = {"catch.model": "command", "catch.command": headless.command, "catch.name": headless.usual_model}
        return ExtractorOffer(
            name,
            title,
            {**MODEL, **chosen},
            f"your {headless.plan}",
            headless.company,
            headless.command,
            price_of(headless.usual_model or headless.priced_as),
            headless.overhead(quiet=True),
            _SECONDS,
            headless.missing(self._home.config.variables),
        )

    def _keys(self) -> Sequence[ExtractorOffer]:
        return [self._key(name) for name, (key, _company) in KEYS.items() if self._home.config.variables.get(key)]

    def _key(self, name: str) -> ExtractorOffer:
        (key, company), model = KEYS[name], _KEY_MODELS[name]
        is_set = bool(self._home.config.variables.get(key))  # an endpoint elsewhere may need none
        settings = {**MODEL, "catch.model": name, "catch.key_variable": key if is_set else ""}
        title, price = f"{company} API ({model})", price_of(model)
        return ExtractorOffer(name, title, settings, f"the key in {key}", company, "its API", price, _ASKED, _SECONDS)

    def _local(self) -> Iterator[ExtractorOffer]:
        for name, url in local_endpoints(self._home.config.variables).items():
            if found := served(url):
                settings = {**MODEL, "catch.model": "openai", "catch.url": f"{url}/v1", "catch.name": found[0]}
                title = f"{title_of(found[0])} on this computer"
                yield ExtractorOffer(
                    name, title, settings, "", "", url.removeprefix("http://"), FREE, _ASKED, _LOCAL_SECONDS
                )


SESSION = ExtractorOffer(
    "claude-session",
    "Claude Code, in the session you have open",
    {**MODEL, "catch.model": "session", "catch.name": USUAL},
    "your Claude plan",
    "Anthropic",
    "its mod, at the end of turns",
    price_of(USUAL),
    OVERHEAD,
    _SECONDS,
)
EMBEDDED = ExtractorOffer("embedded", "Built-in classifier only", {"catch.with": "embedded"})
_OTHERS = (
    EMBEDDED,
    SESSION,
    ExtractorOffer("none", "Automatic reading is off", {"catch.with": "none"}),
    ExtractorOffer("agent", "The agent you work in", {"catch.with": "embedded"}),
    ExtractorOffer("command", "Model, by a command", {**MODEL, "catch.model": "command"}),
)
