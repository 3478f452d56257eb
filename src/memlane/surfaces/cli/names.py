"""What can be typed after `lane`: every command with one line about it, so that help needs no room to be imported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SECTIONS = ("Set up", "Find", "Recall", "Capture", "Health", "For programs")


@dataclass(frozen=True, slots=True)
class About:
    """Where a command stands in the help, and what it does in a few words."""

    section: str
    what: str


COMMANDS: Mapping[str, About] = {
    "demo": About("Set up", "see it work on sample runs, nothing of yours is touched"),
    "init": About("Set up", "set it up here: shows what it will change, and asks"),
    "uninstall": About("Set up", "take our lines out again; your data stays"),
    "hook": About("Set up", "put our hooks into an agent, or take them out"),
    "config": About("Set up", "settings, each with its value and where it came from"),
    "search": About("Find", "where was it said? all agents, all projects"),
    "show": About("Find", "read a run, a turn or a step"),
    "runs": About("Find", "the runs there are, newest first"),
    "tree": About("Find", "which run came out of which"),
    "similar": About("Find", "runs that were about the same"),
    "edits": About("Find", "which steps changed a file"),
    "title": About("Find", "give a run a title of your own"),
    "tag": About("Find", "put tags on a run, or take them off"),
    "pin": About("Find", "mark a run to keep in sight"),
    "ui": About("Find", "see it in the browser: recalls live, runs, memories"),
    "remember": About("Recall", "a note in your own words, for the agents to know"),
    "catch": About("Recall", "read runs for what is worth remembering"),
    "mem": About("Recall", "the memories there are: see, correct, review, take out"),
    "skills": About("Recall", "what you keep asking for; drafts a skill out of it"),
    "entity": About("Recall", "who and what memories are about, and names that wait for an answer"),
    "dream": About("Recall", "tidy up what is remembered; see what was done, take it back"),
    "undo": About("Recall", "take back the last thing done by hand"),
    "outcome": About("Recall", "how a run went: its memories gain or lose by it"),
    "up": About("Recall", "a note that was told helped"),
    "down": About("Recall", "a note that was told did not help"),
    "feedback": About("Recall", "the same, for programs: up or down"),
    "why": About("Recall", "what the agent was told last, and why"),
    "recalls": About("Recall", "everything that was recalled, newest first"),
    "recall": About("Recall", "what would be recalled for a prompt"),
    "capture": About("Capture", "take in what is new, from everywhere or from PATH"),
    "import": About("Capture", "take in an export: ChatGPT, Claude.ai, HuggingChat, neutral runs"),
    "pause": About("Capture", "capture nothing for a while"),
    "exclude": About("Capture", "what is never captured"),
    "forget": About("Capture", "take a run out of everything we answer with"),
    "restore": About("Capture", "bring a forgotten run back"),
    "status": About("Health", "how things stand, on one screen"),
    "doctor": About("Health", "look at everything, name what is wrong and the fix"),
    "logs": About("Health", "what was written down about errors"),
    "archive": About("Health", "check every byte, repair, or move the archive"),
    "rebuild": About("Health", "a fresh index from the archive"),
    "daemon": About("Health", "the process that answers the hooks"),
    "mcp": About("For programs", "our tools for an agent that speaks MCP, on a pipe"),
    "tick": About("For programs", "what the timer runs: one bounded pass of what is due"),
    "help": About("For programs", "help on a command or a topic (exit-codes)"),
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
