"""Which store an address means. A store's library is loaded when it is named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from memlane.errors import UsageError
from memlane.store.object_store import HUB, ObjectStore
from memlane.system.extra import install_line

_SCHEME = re.compile(r"([a-z][a-z0-9+]*)://")


def opened(address: str, variables: Mapping[str, str]) -> ObjectStore:
    """A folder, `s3://bucket/prefix` (and what else obstore opens), or `hf://buckets/owner/name`."""
    if address.startswith(HUB):
        return _hub(address.removeprefix(HUB), variables)
    scheme = _SCHEME.match(address)
    if scheme is None:
        from memlane.store.folder import FolderStore

        return FolderStore(Path(address).expanduser().absolute())
    return _cloud(address, variables)


def _hub(named: str, variables: Mapping[str, str]) -> ObjectStore:
    owner, _slash, rest = named.partition("/")
    bucket, _slash, prefix = rest.partition("/")
    if not owner or not bucket:
        raise UsageError(f"{HUB}{named} names no bucket", hint=f"{HUB}OWNER/NAME")
    try:
        from memlane.store.hub import HubStore
    except ImportError as error:
        raise UsageError("the Hugging Face Hub needs huggingface_hub", hint=install_line("hub")) from error
    return HubStore(f"{owner}/{bucket}", prefix.strip("/"), variables)


def _cloud(address: str, variables: Mapping[str, str]) -> ObjectStore:
    try:
        from memlane.store.cloud import CloudStore
    except ImportError as error:
        raise UsageError("an object store needs obstore", hint=install_line("objects")) from error
    return CloudStore(address, variables)
