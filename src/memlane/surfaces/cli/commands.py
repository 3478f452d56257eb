"""What can be typed after `lane`: each command, its line in the help and its module. Imports no room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SECTIONS = ("Set up", "Find", "Recall", "Capture", "Health", "For programs")


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """Where a command stands in the help, and what it does in a few words."""

    section: str
    what: str
    module: str = ""  # where several commands share one; else it has the command's name


COMMANDS: Mapping[str, CommandHelp] = {
    "demo": CommandHelp("Set up", "see it work on sample runs, nothing of yours is touched"),
    "init": CommandHelp("Set up", "set it up here: shows what it will change, and asks"),
    "uninstall": CommandHelp("Set up", "take our lines out again; your data stays", "hook"),
    "hook": CommandHelp("Set up", "put our hooks into an agent, or take them out", "hook"),
    "config": CommandHelp("Set up", "settings, each with its value and where it came from"),
    "search": CommandHelp("Find", "where was it said? all agents, all projects"),
    "show": CommandHelp("Find", "read a run, a turn or a step"),
    "runs": CommandHelp("Find", "the runs there are, newest first", "runs"),
    "tree": CommandHelp("Find", "which run came out of which"),
    "similar": CommandHelp("Find", "runs that were about the same", "runs"),
    "edits": CommandHelp("Find", "which steps changed a file"),
    "title": CommandHelp("Find", "give a run a title of your own", "tags"),
    "tag": CommandHelp("Find", "put tags on a run, or take them off", "tags"),
    "pin": CommandHelp("Find", "mark a run to keep in sight", "tags"),
    "ui": CommandHelp("Find", "see it in the browser: recalls live, runs, memories"),
    "remember": CommandHelp("Recall", "a note in your own words, for the agents to know"),
    "catch": CommandHelp("Recall", "read runs for what is worth remembering"),
    "mem": CommandHelp("Recall", "the memories there are: see, correct, review, take out"),
    "skills": CommandHelp("Recall", "what you keep asking for; drafts a skill out of it"),
    "entity": CommandHelp("Recall", "who and what memories are about, and names that wait for an answer"),
    "dream": CommandHelp("Recall", "tidy up what is remembered; see what was done, take it back"),
    "undo": CommandHelp("Recall", "take back the last thing done by hand"),
    "outcome": CommandHelp("Recall", "how a run went: its memories gain or lose by it", "feedback"),
    "up": CommandHelp("Recall", "a note that was told helped", "feedback"),
    "down": CommandHelp("Recall", "a note that was told did not help", "feedback"),
    "feedback": CommandHelp("Recall", "the same, for programs: up or down", "feedback"),
    "why": CommandHelp("Recall", "what the agent was told last, and why", "recall"),
    "recalls": CommandHelp("Recall", "everything that was recalled, newest first", "recall"),
    "recall": CommandHelp("Recall", "what would be recalled for a prompt", "recall"),
    "capture": CommandHelp("Capture", "take in what is new, from everywhere or from PATH"),
    "import": CommandHelp("Capture", "take in an export: ChatGPT, Claude.ai, HuggingChat, neutral runs", "imports"),
    "pause": CommandHelp("Capture", "capture nothing for a while", "exclusions"),
    "exclude": CommandHelp("Capture", "what is never captured", "exclusions"),
    "forget": CommandHelp("Capture", "take a run out of everything we answer with", "archive"),
    "restore": CommandHelp("Capture", "bring a forgotten run back", "archive"),
    "status": CommandHelp("Health", "how things stand, on one screen"),
    "doctor": CommandHelp("Health", "look at everything, name what is wrong and the fix"),
    "logs": CommandHelp("Health", "what was written down about errors"),
    "archive": CommandHelp("Health", "check every byte, repair, or move the archive", "archive"),
    "rebuild": CommandHelp("Health", "a fresh index from the archive", "archive"),
    "daemon": CommandHelp("Health", "the process that answers the hooks"),
    "mcp": CommandHelp("For programs", "our tools for an agent that speaks MCP, on a pipe", "agent_programs"),
    "tick": CommandHelp("For programs", "what the timer runs: one bounded pass of what is due"),
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
    "resume-capture": "pause --off",
    "unpause": "pause --off",
    "unforget": "restore",
    "review": "mem review",
    "rename": "title",
    "web": "ui",
    "browser": "ui",
}
