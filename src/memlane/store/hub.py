"""Objects in a bucket on the Hugging Face Hub, by its own client library."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError

from memlane.errors import NotAllowedError, NotFoundError, UnreachableError
from memlane.store.object_store import HUB, StoredBlob, safe_name

_REFUSED, _MISSING, _BUSY = (401, 403), 404, 429


class HubStore:
    """The token is the client's own: `HF_TOKEN`, or what `hf auth login` keeps."""

    def __init__(self, bucket: str, prefix: str, variables: Mapping[str, str]) -> None:
        self._bucket, self._prefix = bucket, prefix
        self._api: Any = HfApi(endpoint=variables.get("HF_ENDPOINT") or None, token=variables.get("HF_TOKEN") or None)

    @property
    def place(self) -> str:
        return f"{HUB}{self._bucket}{f'/{self._prefix}' if self._prefix else ''}"

    @property
    def private(self) -> bool | None:
        try:
            return bool(self._api.bucket_info(self._bucket).private)
        except (HfHubHTTPError, OSError) as error:
            raise self._lost(error) from error

    def put(self, objects: Mapping[str, bytes]) -> None:
        """All of them in one commit."""
        try:
            self._api.batch_bucket_files(self._bucket, add=[(data, self._at(name)) for name, data in objects.items()])
        except (HfHubHTTPError, OSError, RuntimeError) as error:  # RuntimeError: its upload library's own
            raise self._lost(error) from error

    def get(self, name: str) -> bytes | None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "object"
            try:
                known = list(self._api.get_bucket_paths_info(self._bucket, [self._at(name)]))
                self._api.download_bucket_files(self._bucket, files=[(one, file) for one in known])
            except (HfHubHTTPError, OSError, RuntimeError) as error:
                raise self._lost(error) from error
            return file.read_bytes() if known else None

    def objects(self, prefix: str) -> Iterator[StoredBlob]:
        skipped = len(self._at(""))
        for one in self._tree(self._at(prefix)):
            name = one.path[skipped:]
            if one.type == "file" and safe_name(name):
                yield StoredBlob(name, one.size, one.xet_hash)

    def _tree(self, prefix: str) -> Iterator[Any]:
        try:
            yield from self._api.list_bucket_tree(self._bucket, prefix, recursive=True)
        except HfHubHTTPError as error:
            if _status(error) != _MISSING:
                raise self._lost(error) from error
        except OSError as error:
            raise self._lost(error) from error

    def _at(self, name: str) -> str:
        return f"{self._prefix}/{name}" if self._prefix else name

    def _lost(self, error: Exception) -> Exception:
        status = _status(error)
        if status in _REFUSED:
            return NotAllowedError(f"{self.place} refuses this token", hint="hf auth login, or set HF_TOKEN")
        if status == _MISSING:
            return NotFoundError(f"there is no bucket {self._bucket}", hint="hf buckets create NAME --private")
        if status == _BUSY:
            return UnreachableError(f"{self.place} asks us to wait", hint="run `lane sync` again in a few minutes")
        what = type(error).__name__ if status is None else f"HTTP {status}"
        return UnreachableError(f"{self.place} does not answer ({what})", hint="check the network, then run it again")


def _status(error: Exception) -> int | None:
    return getattr(getattr(error, "response", None), "status_code", None)
