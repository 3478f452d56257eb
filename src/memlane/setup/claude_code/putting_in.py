"""Our hooks into Claude Code. Its own program is asked first; if that fails, the same hooks go into its settings."""

from __future__ import annotations

from pathlib import Path

from memlane.setup import files, json_text, plugin, settings
from memlane.setup.changes import ByItsProgram, Change, FileChange, Plan, Trouble
from memlane.setup.claude_code.places import NAME, TITLE, places, program
from memlane.setup.claude_code.reading import groups, read, way_in
from memlane.setup.computer import Command, Computer, Ran
from memlane.setup.hands import Hands
from memlane.setup.json_text import JsonText, NotJsonError
from memlane.setup.plugin import PLUGIN_ID
from memlane.setup.record import Record, Way

QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}  # setting up calls nobody
AGAIN = f"lane hook install {NAME}"


def plan(computer: Computer, record: Record, *, recall: bool) -> Plan:
    path = places(computer).settings
    shown = computer.shown(path)
    try:
        document = read(computer)
        found = way_in(document, computer, recall=recall)
        unsettled = _unsettled(computer, record, document) if found == "plugin" else None
        if unsettled is not None:
            return Plan((unsettled,))
        if found:
            off = f"our plugin is switched off in {TITLE}; to switch it on: claude plugin enable {PLUGIN_ID}"
            return Plan(in_place=(NAME,), notes=(off,) if found == "off" else ())
        problem = files.why_not_writable(path)
        if problem:
            return Plan(left_alone=(Trouble(NAME, f"{shown}: {problem}", f"make it writable, then: {AGAIN}"),))
        return Plan((_change(computer, record, document, recall=recall),))
    except NotJsonError as error:
        return Plan(left_alone=(Trouble(NAME, f"{shown} {error.message}", f"repair the file, then: {AGAIN}"),))
    except OSError as error:
        return Plan(left_alone=(Trouble(NAME, f"{shown}: {error.strerror}", AGAIN),))


def _change(computer: Computer, record: Record, document: JsonText, *, recall: bool) -> Change:
    claude = program(computer)
    by_plugin = bool(claude) and not settings.our_groups(document)
    file = _edit(computer, record, document, by_plugin=by_plugin, recall=recall)
    return ByItsProgram((file,), _commands(claude, computer)) if by_plugin else file


def _unsettled(computer: Computer, record: Record, document: JsonText) -> ByItsProgram | None:
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
    what, made = "in your own order again", settings.made(bare, after)
    file = FileChange(NAME, path, files.read(path), after.data, what, theirs=True, without=was, made=made)
    return ByItsProgram((file,), ())


def _edit(computer: Computer, record: Record, document: JsonText, *, by_plugin: bool, recall: bool) -> FileChange:
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


def _commands(claude: str, computer: Computer) -> tuple[Command, ...]:
    return (
        Command((claude, "plugin", "marketplace", "add", str(computer.plugin)), variables=QUIET),
        Command((claude, "plugin", "install", PLUGIN_ID), variables=QUIET),
    )


def put_in(change: Change, hands: Hands, *, recall: bool) -> None:
    missing = (path for path in places(hands.computer).made_by_installing if not path.exists())
    hands.note(hands.record.with_new(missing))
    if isinstance(change, ByItsProgram):
        _by_program(change, hands, recall=recall)
    elif isinstance(change, FileChange):
        hands.note(hands.record.with_way(NAME, Way("settings", recall)))
        hands.put(change)


def _by_program(change: ByItsProgram, hands: Hands, *, recall: bool) -> None:
    wanted = change.settings
    hands.must_be_as_planned(wanted)
    hands.note(hands.record.with_way(NAME, Way("plugin", recall)))
    hands.prepare(wanted)
    hands.between(wanted.path, now=True)
    ran = _run_all(change.commands, hands)
    now = read(hands.computer)
    if ran.well and way_in(now, hands.computer, recall=recall) == "plugin":
        _settle(wanted, now, hands)
        hands.between(wanted.path, now=False)
        return
    said = ran.said or f"it ended with {ran.exit_code} and without its plugin"
    hands.note(hands.record.with_way(NAME, Way("settings", recall, said)))
    hands.put(_edit(hands.computer, hands.record, now, by_plugin=False, recall=recall))


def _run_all(commands: tuple[Command, ...], hands: Hands) -> Ran:
    ran = Ran(0, "")
    for command in commands:
        ran = hands.run(command)
        if not ran.well:
            break
    return ran


def _settle(wanted: FileChange, now: JsonText, hands: Hands) -> None:
    """Nothing but our lines changed: the person's own order and spacing again.

    Else it stays as the program left it, and is no longer ours to put back: only our lines will go.
    """
    before = json_text.read(wanted.before or b"")
    if settings.others(now) == settings.others(before):
        hands.write(wanted.path, wanted.after)
