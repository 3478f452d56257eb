"""What holds the archive of a home: the disk of this computer, or an object store that the settings name; and the
masked copy of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memlane.config import Config
from memlane.errors import UsageError
from memlane.system.disk import Disk
from memlane.system.extra import install_line

if TYPE_CHECKING:  # its library takes longer to load than a command without it
    from memlane.app.home import Home
    from memlane.archive import Layout
    from memlane.store.disk import StoreDisk


def masked_layout(home: Home) -> Layout:
    """Where the masked copy is that is sent: on this computer, also if the archive is not."""
    return replace(home.layout, base=home.config.home / "masked", heads=None)


def disk_of(config: Config, *, read_only: bool = False) -> Disk:
    return _store(config, read_only=read_only) if config.in_a_store else Disk()


def _store(config: Config, *, read_only: bool) -> StoreDisk:
    try:
        from memlane.store.bucket import bucket_at
        from memlane.store.disk import StoreDisk
    except ImportError as error:
        raise UsageError("an object store needs obstore", hint=install_line("objects")) from error
    plain = config.variables.get("AWS_ALLOW_HTTP", "").lower() == "true"
    return StoreDisk(bucket_at(config.archive_place, plain_http=plain), config.archive_base, read_only=read_only)
