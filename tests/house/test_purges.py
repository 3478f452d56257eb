"""Every way to delete is known, and those that could take what somebody ordered to keep ask for holds first."""

from __future__ import annotations

import ast

from tests.house.tree import modules

TAKES_WORDS = {"forget_bytes", "without_text_of", "without_words_of", "rewrite_lines"}
DELETES = {"rmtree", "unlink", "rmdir", "remove_folder", "remove_tree"}
ASKS = {"kept_by", "must_be_free", "_must_be_free"}
PURGES = {  # where archived words or bytes go for good, and what asks for holds before
    "app/acts/forget.py": ("finish_forgetting", "forget_for_good"),
    "app/memories/edits.py": ("forget_for_good",),
    "app/departures.py": ("plan", "carry_out"),
    "app/setup/install.py": ("purge",),
    "app/retention.py": ("plan", "carry_out"),
}
OTHERS = {  # what each removes instead
    "app/access.py": "one-time codes for a browser",
    "app/archive/leftovers.py": "temporary files whose maker is gone",
    "app/archive/move.py": "files of an unfinished copy",
    "app/capture/sweep.py": "the copy of a database that was read",
    "app/donation.py": "a donation that was not given",
    "app/dream/background.py": "the mark of a process",
    "app/export/__init__.py": "an unfinished export",
    "app/folder/__init__.py": "pages of the memory folder, written anew",
    "app/folder/agents_md.py": "the same",
    "app/folder/edits.py": "the same",
    "app/folder/writer.py": "the same",
    "app/health/probes.py": "what a probe wrote",
    "app/home/last_words.py": "the index of what was said lately",
    "app/home/lent.py": "the cache of what others share",
    "app/home/link.py": "this machine's token",
    "app/resume/__init__.py": "an agent's file that is in the archive",
    "app/resume/files.py": "a temporary file",
    "app/resume/offload.py": "an agent's files that are in the archive, byte for byte",
    "app/shipment/courier.py": "copies of other machines' runs",
    "app/shipment/desk.py": "the same",
    "app/shipment/central_rules.py": "what a Central said that this machine left",
    "archive/append.py": "an unfinished generation",
    "archive/arrival.py": "an unfinished file of another machine",
    "archive/forget.py": "called by app/acts/forget.py alone, see below",
    "archive/mask_copy.py": "a masked copy, made again",
    "archive/register.py": "the mark of an unfinished step",
    "archive/side_files.py": "an unfinished file",
    "catch/model/records.py": "answers of a model, kept to be judged",
    "llm/command.py": "the folder of a reader that ended",
    "llm/session.py": "a question that was taken back",
    "storage/embedded/__init__.py": "an index: derived",
    "storage/embedded/terms.py": "the same",
    "storage/embedded/vector_files.py": "the same",
    "store/disk.py": "the verbs themselves",
    "surfaces/cli/demo_scenes.py": "the index of the demo",
    "surfaces/cli/mem/edit.py": "a text that was edited",
    "surfaces/cli/output.py": "old lists of numbers",
    "surfaces/daemon/files.py": "the daemon's socket and marks",
    "surfaces/daemon/loop.py": "the same",
    "surfaces/daemon/mods.py": "the same",
    "surfaces/daemon/relay.py": "the same",
    "system/disk.py": "the verbs themselves",
    "system/edits.py": "lines and files of ours in an agent's settings",
    "system/files.py": "the verbs themselves",
}


def called(tree: ast.AST) -> set[str]:
    names = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in names}


def named(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def test_every_module_that_deletes_is_known() -> None:
    """A new one: does it take what is archived? Then it asks `holds.kept_by` and belongs to PURGES."""
    deleting = {module.name for module in modules() if called(module.tree) & (DELETES | TAKES_WORDS)}
    assert deleting - set(PURGES) - set(OTHERS) == set()
    assert set(OTHERS) - deleting == set()


def test_every_purge_asks_for_holds_in_the_function_that_begins_it() -> None:
    for module in (one for one in modules() if one.name in PURGES):
        functions = {node.name: node for node in module.nodes if isinstance(node, ast.FunctionDef)}
        for name in PURGES[module.name]:
            assert called(functions[name]) & ASKS, f"{module.name}: {name} deletes what a hold keeps"


def test_archived_words_are_taken_out_in_one_place() -> None:
    outside = {one.name for one in modules() if called(one.tree) & TAKES_WORDS and not one.name.startswith("archive/")}
    assert outside == {"app/acts/forget.py"}
    for module in (one for one in modules() if one.name == "app/acts/forget.py"):
        functions = {node.name: node for node in module.nodes if isinstance(node, ast.FunctionDef)}
        taking = {name for name, node in functions.items() if called(node) & TAKES_WORDS}
        users = {
            name
            for name, node in functions.items()
            if {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & taking
        }
        assert users == {"finish_forgetting"}
