"""What do we change on this machine, and how do we take it back? Every change is a value first, shown and agreed to."""

from memlane.setup.around import LATER, Later, captured_later, runs_from_a_cache
from memlane.setup.changes import (
    PLUGIN,
    TIMER,
    ByItsProgram,
    Change,
    FileChange,
    Gone,
    Plan,
    ProgramCall,
    Row,
    Trouble,
    rows,
)
from memlane.setup.checking import check
from memlane.setup.claude_code import NAME as CLAUDE_CODE
from memlane.setup.claude_code import cleanup_days, rivals
from memlane.setup.claude_code import is_here as claude_code_is_here
from memlane.setup.computer import Command, Computer, Ran
from memlane.setup.files import remove_if_empty, remove_tree
from memlane.setup.installing import Done, Wanted, apply, plan, plan_removal, recalls, remove
from memlane.setup.plugin import HOOKS
from memlane.setup.record import Record
from memlane.setup.record import load as load_record

__all__ = [
    "CLAUDE_CODE",
    "HOOKS",
    "LATER",
    "PLUGIN",
    "TIMER",
    "ByItsProgram",
    "Change",
    "Command",
    "Computer",
    "Done",
    "FileChange",
    "Gone",
    "Later",
    "Plan",
    "ProgramCall",
    "Ran",
    "Record",
    "Row",
    "Trouble",
    "Wanted",
    "apply",
    "captured_later",
    "check",
    "claude_code_is_here",
    "cleanup_days",
    "load_record",
    "plan",
    "plan_removal",
    "recalls",
    "remove",
    "remove_if_empty",
    "remove_tree",
    "rivals",
    "rows",
    "runs_from_a_cache",
]
