"""The masked copy this machine sends from where secrets must not leave it: brought up to date, and what is kept back.

If the gate cannot run, nothing is copied, so nothing is sent. A run of which Central has bytes as they were found is
not continued masked: it is kept back until Central's copy of it is gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from memlane import archive, export
from memlane.app.home import Home
from memlane.app.home.place import masked_layout
from memlane.archive import Masking, OutgoingRun
from memlane.errors import ClosedGateError, DamagedError

UNMASKED = "Central holds other bytes of it, from before masking or by older rules; it is not continued there"


def bring_up(home: Home, runs: Iterable[OutgoingRun]) -> dict[str, str]:
    """Those that changed since they were copied; what was forgotten leaves the copy too. Run → why it is kept back."""
    mask, kept_back = home.tools().gate().mask_values, dict[str, str]()
    masking = Masking(partial(export.settled_lines, mask=mask), partial(export.settled, mask=mask), export.is_record)
    target = masked_layout(home)
    for run in [folder.name for folder in target.run_folders() if home.layout.find(folder.name) is None]:
        archive.drop_masked(home.disk, target, run)
    for one in runs:
        try:
            archive.copy_masked(home.disk, one.folder, target, masking)
        except (ClosedGateError, DamagedError) as error:
            kept_back[one.metadata.run] = error.message
    return kept_back
