"""What can be typed after `lane`: each command, its line in the help and its module. Imports no room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memlane.system.typo import slips

SECTIONS = ("Set up", "Find", "Recall", "Ways out", "Capture", "Machines", "Health", "For programs")


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """Where a command stands in the help, and what it does in a few words."""

    section: str
    what: str
    module: str = ""  # where several commands share one; else it has the command's name


COMMANDS: Mapping[str, CommandHelp] = {
    "demo": CommandHelp("Set up", "try it on sample runs; your data is not touched"),
    "init": CommandHelp("Set up", "set up Lane here; shows every change and asks first"),
    "uninstall": CommandHelp("Set up", "remove Lane from your agents; your data stays", "hook"),
    "hook": CommandHelp("Set up", "add Lane's hooks to an agent, or remove them", "hook"),
    "config": CommandHelp("Set up", "settings, with each value and its origin"),
    "search": CommandHelp("Find", "search every run of every agent and project"),
    "show": CommandHelp("Find", "read a run, a turn or a step"),
    "runs": CommandHelp("Find", "list runs, newest first", "runs"),
    "tree": CommandHelp("Find", "runs as a tree: subagents, forks, resumes"),
    "similar": CommandHelp("Find", "runs on the same topic", "runs"),
    "edits": CommandHelp("Find", "steps that changed a file"),
    "projects": CommandHelp("Find", "projects with all their names; join, split, rename"),
    "title": CommandHelp("Find", "give a run your own title", "tags"),
    "tag": CommandHelp("Find", "add or remove tags on a run", "tags"),
    "pin": CommandHelp("Find", "pin a run", "tags"),
    "ui": CommandHelp("Find", "open the web pages: live recalls, runs, memories"),
    "export": CommandHelp("Ways out", "export runs for other programs and people, masked"),
    "donate": CommandHelp("Ways out", "give runs to everybody, after you have read them"),
    "sync": CommandHelp("Ways out", "copy runs, masked, to a place of yours; take in other machines'"),
    "remember": CommandHelp("Recall", "write a note for your agents"),
    "catch": CommandHelp("Recall", "read runs and save memories from them"),
    "mem": CommandHelp("Recall", "memories: list, edit, review, forget"),
    "skills": CommandHelp("Recall", "requests you repeat, and skill drafts for them"),
    "entity": CommandHelp("Recall", "people, projects and things in memories; unknown names"),
    "dream": CommandHelp("Recall", "merge and clean up memories; report and undo"),
    "undo": CommandHelp("Recall", "undo your last change"),
    "outcome": CommandHelp("Recall", "rate a run; its memories' confidence follows", "feedback"),
    "up": CommandHelp("Recall", "a recalled note helped", "feedback"),
    "down": CommandHelp("Recall", "a recalled note did not help", "feedback"),
    "feedback": CommandHelp("Recall", "rate a recalled note, for programs: up or down", "feedback"),
    "why": CommandHelp("Recall", "the last recall: what the agent got, and why", "recall"),
    "recalls": CommandHelp("Recall", "list recalls, newest first", "recall"),
    "recall": CommandHelp("Recall", "try a prompt: what would be recalled", "recall"),
    "brief": CommandHelp("Ways out", "hand-over of runs: goal, state, decisions, files, what is next"),
    "offload": CommandHelp("Ways out", "take old runs out of their agents' folders; resume brings them back"),
    "story": CommandHelp("Ways out", "several runs as one, by tree, file, entity or choice"),
    "recap": CommandHelp("Ways out", "what happened today, last week, in march", "recap"),
    "wrapped": CommandHelp("Ways out", "a year or any span on one page: numbers and highlights", "recap"),
    "resume": CommandHelp("Ways out", "go on with a run here, also one from another machine or a deleted one"),
    "capture": CommandHelp("Capture", "capture new runs, from every agent or from PATH"),
    "import": CommandHelp("Capture", "import an export: ChatGPT, Claude.ai, HuggingChat, neutral runs", "imports"),
    "pause": CommandHelp("Capture", "pause capture", "exclusions"),
    "exclude": CommandHelp("Capture", "folders and agents that are never captured", "exclusions"),
    "forget": CommandHelp("Capture", "hide a run everywhere, or delete it", "archive"),
    "restore": CommandHelp("Capture", "bring a forgotten run back", "archive"),
    "join": CommandHelp("Machines", "join a Central: one memory for all your machines", "join"),
    "leave": CommandHelp("Machines", "leave Central; what was sent stays there", "join"),
    "ship": CommandHelp("Machines", "send to Central what is new here, and fetch what is new there"),
    "machines": CommandHelp("Machines", "machines of a Central: list, invite, rename, revoke"),
    "audit": CommandHelp("Machines", "of a Central: who read or was told what; list, export, verify"),
    "people": CommandHelp("Machines", "people of a Central: invite, roles, limits, let one go"),
    "share": CommandHelp("Machines", "share a run, a project, a memory or a tag with a person or a group", "shares"),
    "unshare": CommandHelp("Machines", "take a share back; says where it is gone", "shares"),
    "shares": CommandHelp("Machines", "what you share, and what is shared with you", "shares"),
    "groups": CommandHelp("Machines", "groups of people on a Central"),
    "hold": CommandHelp("Machines", "of a Central: what must not be deleted; add, release"),
    "retention": CommandHelp("Machines", "of a Central: how long runs are kept; rules, receipts"),
    "policy": CommandHelp("Machines", "of a Central: what is never captured, who may share"),
    "serve": CommandHelp("Machines", "run a Central: the server that your machines join"),
    "work": CommandHelp("Machines", "on a Central: index what the machines sent"),
    "status": CommandHelp("Health", "status on one screen"),
    "doctor": CommandHelp("Health", "check everything; name problems and fixes"),
    "logs": CommandHelp("Health", "the error log"),
    "archive": CommandHelp("Health", "verify, repair or move the archive", "archive"),
    "rebuild": CommandHelp("Health", "rebuild the index from the archive", "archive"),
    "daemon": CommandHelp("Health", "the background process that answers hooks"),
    "mcp": CommandHelp("For programs", "MCP server on standard input and output", "agent_programs"),
    "tick": CommandHelp("For programs", "what the timer runs: one short pass of pending work"),
    "help": CommandHelp("For programs", "help on a command or a topic (exit-codes)"),
}

# Small mistakes are forgiven and taught; a single letter is a short form.
ALIASES: Mapping[str, str] = {
    "s": "search",
    "m": "mem",
    "find": "search",
    "grep": "search",
    "query": "search",
    "list": "runs",
    "ls": "runs",
    "sessions": "runs",
    "history": "runs",
    "cat": "show",
    "read": "show",
    "view": "show",
    "open": "show",
    "like": "similar",
    "related": "similar",
    "blame": "edits",
    "changes": "edits",
    "label": "tag",
    "tags": "tag",
    "unpin": "pin --off",
    "add": "remember",
    "note": "remember",
    "memory": "mem",
    "memories": "mem",
    "entities": "entity",
    "project": "projects",
    "skill": "skills",
    "who": "entity show",
    "sweep": "capture",
    "reindex": "rebuild",
    "verify": "archive verify",
    "setup": "init",
    "install": "init",
    "remove": "uninstall",
    "hooks": "hook",
    "settings": "config",
    "health": "doctor",
    "check": "doctor",
    "log": "logs",
    "continue": "resume",
    "handover": "brief",
    "summary": "brief",
    "merge": "story",
    "today": "recap today",
    "yesterday": "recap yesterday",
    "resume-capture": "pause --off",
    "unpause": "pause --off",
    "unforget": "restore",
    "review": "mem review",
    "rename": "title",
    "web": "ui",
    "browser": "ui",
}

LONG = 8  # letters, from which on two slips of a finger are forgiven instead of one
SHORTEST = 3  # fewer letters are near to everything


def alike(word: str, names: Iterable[str]) -> list[str]:
    """The one or two names that somebody who typed this can have meant: misspelt or cut short. Usually none."""
    apart = {name: slips(word, name) for name in names}
    forgiven = 2 if len(word) >= LONG else 1 if len(word) >= SHORTEST else 0
    misspelt = sorted((name for name in apart if apart[name] <= forgiven), key=lambda name: apart[name])
    longer = [name for name in apart if len(word) >= SHORTEST and name.startswith(word)]
    return list(dict.fromkeys((*misspelt, *longer)))[:2]
