"""Settings, read once: defaults < `$LANE_HOME/config.toml` < `LANE_*` variables."""

from __future__ import annotations

import getpass
import math
import re
import socket
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from memlane.errors import UsageError
from memlane.system.environment import calm_libraries, home_folder, person_folder, variables

Value = bool | int | float | str | tuple[str, ...]
LARGEST = 1e12  # of a number; neither nan nor infinity is less
SHARE, PERCENT = (0.0, 1.0), (0.0, 100.0)
PORTS = (0.0, 65535.0)
START = (0.0, 8000.0)  # characters: what an agent takes at the start of a run
AT_ONCE = (1.0, 10.0)
CATCHERS, LLMS = ("embedded", "model", "none"), ("", "anthropic", "openai", "command", "session")
RECALLERS, WRITERS = ("tuned", "onnx", "embed", "none"), ("rules", "model")
STORE = "://"  # in the address of an object store
ADMITTED = ("linked", "everyone")
WEB, DATABASE = ("http", "https"), ("postgresql", "postgres")


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing a person may change: its default gives its type, `what` its help, the rest what it may be."""

    name: str
    default: Value
    what: str
    choices: tuple[str, ...] = ()
    bounds: tuple[float, float] = (0.0, math.inf)  # of a number
    schemes: tuple[str, ...] = ()  # of an address


SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting("user", "", "owner of the runs captured here; fixed after the first run, part of every run's id"),
        Setting("machine", "", "name of this machine; fixed after the first run, part of every run's id"),
        Setting(
            "archive.base",
            "",
            "where the archive is, if not in the home: a folder (a NAS mount, a bigger disk) or s3://BUCKET/PREFIX",
        ),
        Setting("capture.exports", (), "folders you put exports of chats into; a tick takes in what is new there"),
        Setting("capture.exports_days", 30, "days after which lane doctor says how old the newest export is"),
        Setting("capture.exclude", (), "patterns never captured: paths, project folders, agent:NAME"),
        Setting(
            "storage.url",
            "",
            "PostgreSQL for the index (postgresql://…) instead of files in the home",
            schemes=DATABASE,
        ),
        Setting(
            "embed.model",
            "static",
            "model for search by meaning: static, tuned, bge-small, onnx, ollama, openai, none",
            choices=("static", "tuned", "bge-small", "onnx", "ollama", "openai", "none"),
        ),
        Setting("embed.name", "", "the model's name at its endpoint: mxbai-embed-large, qwen3-embedding"),
        Setting("embed.url", "", "its endpoint, if not the default: http://127.0.0.1:11434", schemes=WEB),
        Setting("embed.folder", "", "for onnx: the folder with model.onnx and tokenizer.json"),
        Setting("embed.dimension", 0, "keep only this many dimensions of each vector (Matryoshka); 0: all"),
        Setting("embed.key_variable", "", "the environment variable that holds the endpoint's key"),
        Setting("embed.timeout", 1.5, "seconds a search waits for the model before it uses words only"),
        Setting("catch.with", "embedded", "who reads new runs for memories: embedded, model, none", CATCHERS),
        Setting(
            "catch.model",
            "",
            "for model: anthropic, openai (any compatible endpoint), command, session (an open Claude Code session)",
            LLMS,
        ),
        Setting("catch.name", "", "the model's name at its endpoint"),
        Setting("catch.url", "", "its endpoint, if not the default: http://127.0.0.1:11434/v1", schemes=WEB),
        Setting("catch.key_variable", "", "the environment variable that holds the endpoint's key"),
        Setting("catch.command", "", "for command: what to run; it gets the prompt on standard input (claude -p)"),
        Setting("catch.at_once", 1, "windows in one question to the model; 4 suit a long context", bounds=AT_ONCE),
        Setting("catch.timeout", 120.0, "seconds to wait for one answer"),
        Setting("catch.daily_dollars", 1.0, "daily limit in dollars for reading runs"),
        Setting("catch.teachings", default=True, what="keep what you teach an agent in plain words"),
        Setting("catch.daily_windows", 200, "daily limit of questions to the model"),
        Setting("catch.titles", default=False, what="let the model also name runs that their agent gave no title"),
        Setting("catch.skip_projects", (), "projects that no agent and no model reads, by name: acme/app"),
        Setting(
            "entities.folders", (), "folders of Markdown pages, one entity per file: person=~/people, business=~/shops"
        ),
        Setting("memory.folder", default=True, what="also write memories as pages to ~/.memlane/memory"),
        Setting("memory.claude_code", (), "checkouts whose Claude Code memory also gets Lane's pages: ~/code/app"),
        Setting("recall.enabled", default=True, what="give agents notes"),
        Setting("recall.answers", default=True, what='also look at what an agent proposes, for you and your "yes"'),
        Setting("recall.line", default=True, what="show you in one line what an agent was given, where it can"),
        Setting("recall.card", default=True, what="show it as a card with keys, where an agent has one (Claude Code)"),
        Setting("recall.off_in", (), "project folders without recall"),
        Setting("recall.off_for", (), "agents without recall, by name: claude-code"),
        Setting("recall.model", "tuned", "model for recall: tuned, onnx, embed (as search), none (words)", RECALLERS),
        Setting("recall.folder", "", "for recall.model onnx: a folder with model.onnx and tokenizer.json"),
        Setting("recall.timeout", 0.25, "seconds a prompt waits for the model before recall uses words only"),
        Setting(
            "recall.second_look",
            default=True,
            what="read the best five together with the prompt to drop notes that only sound similar",
        ),
        Setting("recall.needed", 0.50, "how useful a note must be, as judged by the second look, 0 to 1", bounds=SHARE),
        Setting("recall.floor", 0.50, "how similar a memory must be to the prompt, 0 to 1", bounds=SHARE),
        Setting("recall.entity_floor", 0.40, "the same for memories about an entity the prompt names", bounds=SHARE),
        Setting(
            "recall.technical_floor", 0.55, "the same for prompts with code, paths or error codes in them", bounds=SHARE
        ),
        Setting(
            "recall.least_confidence", 60, "memories below this confidence are not recalled, 0 to 100", bounds=PERCENT
        ),
        Setting("recall.weights.similarity", 0.60, "weight in the ranking: similarity"),
        Setting("recall.weights.recency", 0.10, "weight: how recently it was seen"),
        Setting("recall.weights.half_life_days", 28.0, "days after which recency counts half"),
        Setting("recall.weights.confidence", 0.15, "weight: confidence"),
        Setting("recall.weights.observed", 0.10, "weight: how often it was seen"),
        Setting("recall.weights.high_type", 0.05, "weight: it is a correction, a decision or a commitment"),
        Setting(
            "recall.weights.intent", 0.15, "weight: the prompt has a word for its type (mistake, decided, usually)"
        ),
        Setting("recall.weights.rare_word", 0.10, "weight: both contain the same identifier, path or code"),
        Setting(
            "recall.weights.time_window", 0.30, "weight instead of recency for prompts that name a time: last week"
        ),
        Setting("recall.per_prompt", 3, "maximum memories per prompt"),
        Setting("recall.per_run", 8, "maximum memories per run"),
        Setting("recall.tokens_per_run", 1500, "maximum tokens added per run"),
        Setting("recall.start_rules", 7, "maximum standing rules at the start of a run"),
        Setting("recall.start_characters", 1200, "maximum characters at the start of a run, up to 8000", bounds=START),
        Setting(
            "recall.earlier_runs",
            default=True,
            what="if no memory answers a question about the past, point to the earlier run that does",
        ),
        Setting(
            "recall.holdout",
            0.0,
            "share of runs without recall, as a control group to measure its effect",
            bounds=SHARE,
        ),
        Setting("sync.target", "", "where the timer copies your runs, masked: a folder, s3://…, hf://buckets/…"),
        Setting("sync.every", 1.0, "minimum hours between two syncs of the timer"),
        Setting("donate.model", "", "folder of a token classifier that looks once more for names before lane donate"),
        Setting("dream.enabled", default=True, what="clean up memories in the background; every step can be undone"),
        Setting("dream.every", 24.0, "minimum hours between dreams"),
        Setting("dream.after_runs", 5, "minimum new runs between dreams"),
        Setting("dream.words", "rules", "who writes merged memories: rules, or model (catch.model)", WRITERS),
        Setting("ship.enabled", default=True, what="send new runs and memories to the Central it has joined"),
        Setting("ship.mask", default=False, what="mask secrets before anything is sent to Central; it may demand this"),
        Setting("ship.background", default=True, what="do so after commands and agents' turns; false: only lane ship"),
        Setting(
            "thin",
            default=False,
            what="this machine captures and sends; Central indexes, reads and recalls for it (set by lane join --thin)",
        ),
        Setting("metrics.otlp", "", "on Central, who gets its figures by OTLP: http://collector:4318", schemes=WEB),
        Setting(
            "identity.plc", "https://plc.directory", "the directory of AT Protocol accounts (did:plc:…)", schemes=WEB
        ),
        Setting("identity.audience", "", "on Central, its name for AT Protocol sign-ins: did:web:lane.example.org"),
        Setting("identity.oidc.issuer", "", "on Central, who people sign in at with OpenID Connect", schemes=WEB),
        Setting("identity.oidc.client", "", "on Central, its client id there; the device flow must be allowed"),
        Setting("identity.oidc.admit", "linked", "who gets in: linked (people you linked), everyone (there)", ADMITTED),
        Setting("identity.oidc.group", "", "and only those in this group of the issuer"),
        Setting("identity.oidc.mirror", (), "groups of the issuer that are kept as groups here, at each sign-in"),
        Setting("identity.oidc.groups", "groups", "the claim that lists somebody's groups at the issuer"),
        Setting("http.port", 0, "port on 127.0.0.1 for HTTP, MCP and the web pages; 0: off", bounds=PORTS),
        Setting("daemon.tick_minutes", 15.0, "start `lane tick` after a turn if it last ran so long ago; 0: never"),
        Setting("daemon.idle_minutes", 20.0, "stop the daemon after this long without a request or new work"),
        Setting("daemon.watch", default=True, what="capture agents' work as it is written, while the daemon runs"),
    )
}


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in force and where each came from."""

    home: Path  # $LANE_HOME: everything of ours
    person_home: Path  # where the agents keep theirs
    variables: Mapping[str, str]  # the environment, for the agents' own overrides
    values: Mapping[str, Value]
    origins: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def user(self) -> str:
        return self.text("user") or getpass.getuser()

    @property
    def machine(self) -> str:
        return self.text("machine") or socket.gethostname().split(".")[0] or "this"

    @property
    def archive_base(self) -> Path:
        base = self.text("archive.base")
        return Path(base).expanduser() if base else self.home / "archive"

    @property
    def archive_folder(self) -> tuple[Path, ...]:
        """Where it is on this computer, if it is."""
        return () if self.in_a_store else (self.archive_base,)

    @property
    def in_a_store(self) -> bool:
        """The archive is on an object store, not in a folder."""
        return STORE in self.text("archive.base")

    @property
    def archive_place(self) -> str:
        """As a person writes it: a folder, or the address of an object store."""
        base = self.text("archive.base")
        return base if self.in_a_store else str(self.archive_base)

    @property
    def file(self) -> Path:
        return self.home / "config.toml"

    @property
    def switched_off(self) -> bool:
        """`LANE_OFF=1`: for one shell, one run."""
        return self.variables.get("LANE_OFF", "") not in ("", "0")

    @property
    def debug(self) -> bool:
        return self.variables.get("LANE_DEBUG", "") not in ("", "0")

    def text(self, name: str) -> str:
        return str(self.values[name])

    def number(self, name: str) -> float:
        return float(cast(float, self.values[name]))

    def count(self, name: str) -> int:
        return int(cast(int, self.values[name]))

    def switch(self, name: str) -> bool:
        return bool(self.values[name])

    def names(self, name: str) -> tuple[str, ...]:
        return cast(tuple[str, ...], self.values[name])


def load(environment: Mapping[str, str] | None = None, home: Path | None = None) -> Config:
    """The settings of a home: this one, else $LANE_HOME, else ~/.memlane."""
    calm_libraries()
    given = variables() if environment is None else dict(environment)
    home = Path(home or home_folder(given)).expanduser().absolute()
    values = {name: setting.default for name, setting in SETTINGS.items()}
    origins = dict.fromkeys(values, "default")
    for name, value in _from_file(home / "config.toml").items():
        values[name], origins[name] = value, "config.toml"
    for name, setting in SETTINGS.items():
        variable = "LANE_" + re.sub(r"\W", "_", name).upper()
        if variable in given:
            values[name], origins[name] = parsed(setting, given[variable]), variable
    return Config(home, Path(person_folder(given)), given, values, origins)


def _from_file(path: Path) -> dict[str, Value]:
    try:
        with path.open("rb") as file:
            loaded = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}", hint=f"fix it, or move it away: {path}") from error
    found: dict[str, Value] = {}
    for name, value in _flat(loaded, ""):
        if name in SETTINGS:  # others are kept in the file and mean nothing to this version
            found[name] = typed(SETTINGS[name], value)
    return found


def _flat(table: Mapping[str, object], prefix: str) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flat(cast(Mapping[str, object], value), f"{prefix}{key}.")
        else:
            found.append((f"{prefix}{key}", value))
    return found


def setting(name: str) -> Setting:
    if name not in SETTINGS:
        raise UsageError(f"there is no setting {name!r}", hint=f"one of: {', '.join(SETTINGS)}")
    return SETTINGS[name]


def typed(setting: Setting, value: object) -> Value:
    """A value from a TOML file, checked against the default's type."""
    wanted = type(setting.default)
    if wanted is tuple and isinstance(value, list):
        return tuple(str(item) for item in cast(list[object], value))
    if wanted is float and isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST:
        return float(value)
    if wanted is not float and isinstance(value, wanted) and isinstance(value, bool) == (wanted is bool):
        return cast(Value, value)
    raise UsageError(
        f"{setting.name} must be {_called(wanted)}, not {without_password(cast(object, value))!r}",
        hint=f"{setting.name}: {setting.what}",
    )


def parsed(setting: Setting, text: str) -> Value:
    """A value typed on the command line or set in a variable."""
    value = _read(setting, text)
    if wrong := misfit(setting, value):
        raise UsageError(wrong, hint=f"{setting.name}: {setting.what}")
    return value


def _read(setting: Setting, text: str) -> Value:
    wanted = type(setting.default)
    if wanted is bool and text.lower() in ("true", "on", "yes", "1", "false", "off", "no", "0"):
        return text.lower() in ("true", "on", "yes", "1")
    if wanted is tuple:
        return tuple(part for part in re.split(r"[,\n]", text) if part)
    if wanted is str:
        return text
    try:
        return typed(setting, wanted(text) if wanted in (int, float) else text)
    except ValueError:
        raise UsageError(f"{setting.name} must be {_called(wanted)}, not {text!r}") from None


def misfit(setting: Setting, value: Value) -> str:
    """Why this value would have no effect, or not the one it seems to have; "": it is fine."""
    if setting.choices and value not in setting.choices:
        return f"{setting.name} is one of {', '.join(filter(None, setting.choices))}, not {value!r}"
    if setting.schemes and value:
        scheme, sign, rest = str(value).partition("://")
        if scheme not in setting.schemes or not sign or not rest.strip("/"):
            known = " or ".join(f"{scheme}://…" for scheme in setting.schemes)
            return f"{setting.name} must be {known}, not {scheme if sign else 'an address without one'}"
        if setting.schemes == DATABASE and "@" in rest.partition("@")[2].partition("?")[0]:
            return f"{setting.name}: percent-encode special characters of the password (%40 for @, %2F for /)"
    least, most = setting.bounds
    if isinstance(value, int | float) and not least <= value <= most:
        limits = f"from {least:g} to {most:g}" if math.isfinite(most) else f"{least:g} or more"
        return f"{setting.name} must be {limits}, not {value:g}"
    return ""


def misfits(path: Path) -> dict[str, str]:
    """What config.toml says that has no effect: names that are no settings, values that do not fit; with the reason."""
    try:
        loaded = tomllib.loads(path.read_text())
    except FileNotFoundError:
        return {}
    wrong = dict[str, str]()
    for name, value in _flat(loaded, ""):
        if name not in SETTINGS:
            wrong[name] = f"there is no setting {name!r}"
        elif said := misfit(SETTINGS[name], typed(SETTINGS[name], value)):
            wrong[name] = said
    return wrong


def _called(wanted: type) -> str:
    return {bool: "true or false", int: "a whole number", float: "a number", tuple: "a list", str: "text"}[wanted]


_PASSWORD = re.compile(r"(//[^/:@\s]*):\S*@")  # up to the last @: a password may have one, or a slash
_PARAMETER = re.compile(r"([?&](?:\w*(?:password|passwd|secret|token|key)\w*)=)[^&\s]+", re.IGNORECASE)


def without_password(value: object) -> object:
    """An address, as it may be seen; a list of them too."""
    if isinstance(value, list | tuple):
        return [without_password(one) for one in cast("list[object]", value)]
    return _PARAMETER.sub(r"\1…", _PASSWORD.sub(r"\1:…@", value)) if isinstance(value, str) else value


def shown(value: Value) -> object:
    """As JSON and TOML write it."""
    return list(value) if isinstance(value, tuple) else value
