"""Our hooks into Claude Code and out again: by its own program where there is one, else by its settings."""

from __future__ import annotations

from pathlib import Path

from memlane.agents.claude_code import plugin, settings
from memlane.agents.claude_code.checks import check
from memlane.agents.claude_code.plugin import MARKETPLACE, PLUGIN_ID
from memlane.agents.claude_code.prompt_hook import installed
from memlane.agents.claude_code.settings import (
    INSTALLED,
    MARKETPLACES,
    NAME,
    SETTINGS,
    TITLE,
    ClaudeCodePlaces,
    OwnKeys,
    cleanup_days,
    groups,
    hooks_off,
    is_here,
    keep_longer,
    places,
    program,
    read_settings,
    rivals,
    way_in,
)
from memlane.system import files, json_text
from memlane.system.computer import CommandLine, CommandOutcome, Computer
from memlane.system.edits import FileEditor, FileRecord, HookRoute, SetupRecord, digest
from memlane.system.json_text import JsonText, NotJsonError
from memlane.system.plan import AgentProgramChange, Change, FileChange, FolderRemoval, Obstacle, Plan

QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}  # setting up calls nobody
AGAIN = f"lane hook install {NAME}"
afterwards = ""  # nothing: it runs the plugin from its next start
LOGS = f"*/mcp-logs-plugin-{plugin.NAME}-{plugin.NAME}"  # what it keeps of what our tools say
HOOKS_ONLY = (
    f"the `claude` program was not found: {TITLE} gets Lane's hooks, but not its commands, skill and tools."
    f" To add them when it is on your PATH: {AGAIN}"
)


def plan_plugin(computer: Computer, *, recall: bool) -> Plan:
    return plugin.plan(computer, recall=recall)


def folder(computer: Computer) -> Path:
    return computer.plugin


def script(computer: Computer) -> Path:
    return computer.hook_script


def settings_files(computer: Computer) -> tuple[Path, ...]:
    return (places(computer).settings,)


def plan(computer: Computer, record: SetupRecord, *, recall: bool) -> Plan:
    path = places(computer).settings
    shown = computer.shown(path)
    try:
        document = read_settings(computer)
        found = "" if _can_complete(computer, record) else way_in(document, computer, recall=recall)
        unsettled = _unsettled(computer, record, document) if found == "plugin" else None
        if unsettled is not None:
            return Plan((unsettled,))
        if found:
            off = f"Lane's plugin is disabled in {TITLE}; to enable it: claude plugin enable {PLUGIN_ID}"
            said = {"off": (off,), "settings": () if program(computer) else (HOOKS_ONLY,)}
            return Plan(in_place=(NAME,), notes=said.get(found, ()))
        problem = files.why_not_writable(path)
        if problem:
            return Plan(left_alone=(Obstacle(NAME, f"{shown}: {problem}", f"make it writable, then: {AGAIN}"),))
        change = _change(computer, record, document, recall=recall)
        return Plan((change,), notes=() if program(computer) else (HOOKS_ONLY,))
    except NotJsonError as error:
        return Plan(left_alone=(Obstacle(NAME, f"{shown} {error.message}", f"fix the file, then: {AGAIN}"),))
    except OSError as error:
        return Plan(left_alone=(Obstacle(NAME, f"{shown}: {error.strerror}", AGAIN),))


def _change(computer: Computer, record: SetupRecord, document: JsonText, *, recall: bool) -> Change:
    claude = program(computer)
    by_plugin = bool(claude) and (not settings.our_groups(document) or _can_complete(computer, record))
    file = _edit(computer, record, document, by_plugin=by_plugin, recall=recall)
    return AgentProgramChange((file,), _install_commands(claude, computer)) if by_plugin else file


def _can_complete(computer: Computer, record: SetupRecord) -> bool:
    """Only the hooks are in because its program was missing, and now it is there."""
    way = record.agents.get(NAME)
    return way is not None and way.by == "settings" and not way.said and bool(program(computer))


def _unsettled(computer: Computer, record: SetupRecord, document: JsonText) -> AgentProgramChange | None:
    """Its program was interrupted, or we were: the plugin is in, but not yet in the person's own writing."""
    path = places(computer).settings
    known = record.of(path)
    if known is None or not known.between:
        return None
    was = files.read(Path(known.backup)) if known.backup else None
    bare = json_text.read(was or b"")
    after = settings.with_plugin(bare, str(computer.plugin))
    if settings.others(bare) != settings.others(document):
        return None
    what, made = "in your original order", settings.made(bare, after)
    file = FileChange(NAME, path, files.read(path), after.data, what, theirs=True, without=was, made=made)
    return AgentProgramChange((file,), ())


def _edit(computer: Computer, record: SetupRecord, document: JsonText, *, by_plugin: bool, recall: bool) -> FileChange:
    path = places(computer).settings
    known, before = record.of(path), files.read(path)
    bare = settings.without_ours(document, made=known.made if known else None)
    if by_plugin:
        after = settings.with_plugin(bare, str(computer.plugin))
    else:
        after = settings.with_hooks(bare, groups(computer, recall=recall))
    count = len(plugin.specs(NAME, recall=recall))
    return FileChange(
        NAME,
        path,
        before,
        after.data,
        f"+ plugin lane ({count} hooks)" if by_plugin else f"+ {count} hooks",
        theirs=True,
        without=before if bare.text == document.text else bare.data,
        made=settings.made(bare, after),
    )


def _install_commands(claude: str, computer: Computer) -> tuple[CommandLine, ...]:
    return (
        CommandLine((claude, "plugin", "marketplace", "add", str(computer.plugin)), variables=QUIET),
        CommandLine((claude, "plugin", "install", PLUGIN_ID), variables=QUIET),
    )


def put_in(change: Change, hands: FileEditor, *, recall: bool) -> None:
    missing = (path for path in places(hands.computer).made_by_installing if not path.exists())
    hands.note(hands.record.with_new(missing))
    if isinstance(change, AgentProgramChange):
        _by_program(change, hands, recall=recall)
    elif isinstance(change, FileChange):
        hands.note(hands.record.with_way(NAME, HookRoute("settings", recall)))
        hands.put(change)


def _by_program(change: AgentProgramChange, hands: FileEditor, *, recall: bool) -> None:
    wanted = change.settings
    hands.must_be_as_planned(wanted)
    hands.note(hands.record.with_way(NAME, HookRoute("plugin", recall)))
    hands.prepare(wanted)
    hands.between(wanted.path, now=True)
    if settings.our_groups(read_settings(hands.computer)):
        hands.write(wanted.path, wanted.without)  # the hooks of before: with the plugin's they would be called twice
    ran = _run_all(change.commands, hands)
    now = read_settings(hands.computer)
    if ran.well and way_in(now, hands.computer, recall=recall) == "plugin":
        _settle_installed(wanted, now, hands)
        hands.between(wanted.path, now=False)
        return
    said = ran.said or f"it exited with {ran.exit_code} and did not install the plugin"
    hands.note(hands.record.with_way(NAME, HookRoute("settings", recall, said)))
    hands.put(_edit(hands.computer, hands.record, now, by_plugin=False, recall=recall))


def _run_all(commands: tuple[CommandLine, ...], hands: FileEditor) -> CommandOutcome:
    ran = CommandOutcome(0, "")
    for command in commands:
        ran = hands.run(command)
        if not ran.well:
            break
    return ran


def _settle_installed(wanted: FileChange, now: JsonText, hands: FileEditor) -> None:
    """Nothing but our lines changed: the person's own order and spacing again.

    Else it stays as the program left it, and is no longer ours to put back: only our lines will go.
    """
    before = json_text.read(wanted.before or b"")
    if settings.others(now) == settings.others(before):
        hands.write(wanted.path, wanted.after)


AS_BEFORE = "as it was before"


def plan_removal(computer: Computer, record: SetupRecord) -> Plan:
    there = places(computer)
    changes, troubles = list[FileChange](), list[Obstacle]()
    for path, ours in _owned(there).items():
        try:
            change = _removal(path, ours, record)
        except (NotJsonError, OSError) as error:
            troubles.append(_trouble(computer.shown(path), error))
        else:
            changes += [change] if change else []
    claude = program(computer)
    by_program = claude and not troubles and any(_names_plugin(change) for change in changes)
    first: tuple[Change, ...] = (
        (AgentProgramChange(tuple(changes), _uninstall_commands(claude)),) if by_program else tuple(changes)
    )
    alone = (*there.ours_alone, *sorted((computer.home / ".cache" / "claude-cli-nodejs").glob(LOGS)))
    gone = tuple(FolderRemoval(NAME, path, "- our copy in its cache") for path in alone if path.exists())
    return Plan((*first, *gone), () if first or gone or troubles else (NAME,), tuple(troubles))


def _owned(there: ClaudeCodePlaces) -> dict[Path, OwnKeys]:
    return {there.settings: SETTINGS, there.installed: INSTALLED, there.marketplaces: MARKETPLACES}


def _trouble(shown: str, error: NotJsonError | OSError) -> Obstacle:
    said = error.message if isinstance(error, NotJsonError) else f"cannot be read: {error.strerror}"
    return Obstacle(NAME, f"{shown} {said}", "fix it, then: lane uninstall (or remove the lines that name lane)")


def _removal(path: Path, ours: OwnKeys, record: SetupRecord) -> FileChange | None:
    now, known = files.read(path), record.of(path)
    if now is None:
        return None
    backup = files.read(Path(known.backup)) if known is not None and known.backup else None
    if known is not None and (backup is not None or not known.backup) and _as_left(now, backup, known, ours):
        return FileChange(NAME, path, now, backup, AS_BEFORE if known.backup else "- (it was not there)")
    document = json_text.read(now)
    bare = settings.without_ours(document, ours, made=known.made if known else None)
    created = (known is not None and not known.backup) or str(path) in record.new
    if created and not set(settings.others(bare, ours)) - {"version"}:
        return FileChange(NAME, path, now, None, "- (it was not there)")
    return FileChange(NAME, path, now, bare.data, "- our lines") if bare.text != document.text else None


def _as_left(now: bytes, backup: bytes | None, known: FileRecord, ours: OwnKeys) -> bool:
    """Byte for byte; or, where its program was interrupted at work on it, in what it says."""
    if digest(now) in known.left:
        return True
    return known.between and settings.others(json_text.read(now), ours) == settings.others(
        json_text.read(backup or b""), ours
    )


def _names_plugin(change: FileChange) -> bool:
    before = change.before or b""
    return PLUGIN_ID.encode() in before or MARKETPLACE.encode() in before


def _uninstall_commands(claude: str) -> tuple[CommandLine, ...]:
    return (
        CommandLine((claude, "plugin", "uninstall", PLUGIN_ID), variables=QUIET),
        CommandLine((claude, "plugin", "marketplace", "remove", MARKETPLACE), variables=QUIET),
    )


def take_out(change: AgentProgramChange, hands: FileEditor) -> None:
    for file in change.files:
        hands.must_be_as_planned(file)
    if change.settings.after is None or change.settings.what == AS_BEFORE:
        hands.between(change.settings.path, now=True)
    for command in change.commands:
        hands.run(command)  # what it leaves undone, the next lines do
    for file in change.files:
        _settle_removed(file, hands)


def _settle_removed(planned: FileChange, hands: FileEditor) -> None:
    ours = _owned(places(hands.computer))[planned.path]
    now = files.read(planned.path)
    if now is None:
        return
    document, before = json_text.read(now), json_text.read(planned.before or b"")
    if settings.others(document, ours) == settings.others(before, ours):
        after = planned.after
    else:
        known = hands.record.of(planned.path)
        after = settings.without_ours(document, ours, made=known.made if known else None).data
    if after != now:
        hands.write(planned.path, after)


def forget(hands: FileEditor) -> None:
    """After everything is out: empty folders that only existed for us, and what was written down about it."""
    there = places(hands.computer)
    hands.forget(there.settings)
    for path in there.made_by_installing:
        if str(path) in hands.record.new and path.is_dir():
            files.remove_if_empty(hands.disk, path)
    hands.note(hands.record.without_way(NAME).without_new(there.made_by_installing))


__all__ = [
    "NAME",
    "TITLE",
    "afterwards",
    "check",
    "cleanup_days",
    "folder",
    "forget",
    "hooks_off",
    "installed",
    "is_here",
    "keep_longer",
    "places",
    "plan",
    "plan_plugin",
    "plan_removal",
    "program",
    "put_in",
    "rivals",
    "script",
    "settings_files",
    "take_out",
    "way_in",
]
