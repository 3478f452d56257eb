"""Objects in an object store, by obstore: S3 and what speaks like it, Google Cloud Storage, Azure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import obstore
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import from_url

from memlane.errors import LaneError, NotAllowedError, UnreachableError, UsageError
from memlane.store.object_store import StoredBlob, safe_name

PATIENCE = timedelta(seconds=20)
_REFUSED = re.compile(r"\bstatus code: 40[13]\b")  # a listing that is refused has no error of its own
_RENEW = "renew the credentials in your environment (AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN …), then run it again"
_CHECK = "check the address, the network and the credentials in your environment (AWS_ACCESS_KEY_ID …)"


class CloudStore:
    """Credentials come from the environment as its own clients read it (`AWS_…`, `GOOGLE_…`, `AZURE_…`)."""

    def __init__(self, address: str, variables: Mapping[str, str]) -> None:
        self._address = address
        options: Any = {"allow_http": variables.get("AWS_ALLOW_HTTP", "").lower() == "true", "timeout": PATIENCE}
        retry: Any = {"max_retries": 4, "retry_timeout": PATIENCE}
        try:
            self._store: Any = from_url(address, client_options=options, retry_config=retry)
        except (BaseError, ValueError) as error:
            raise UsageError(f"{address} is not the address of an object store", hint="s3://BUCKET/PREFIX") from error

    @property
    def place(self) -> str:
        return self._address

    @property
    def private(self) -> bool | None:
        return None

    def put(self, objects: Mapping[str, bytes]) -> None:
        for name, data in objects.items():
            try:
                obstore.put(self._store, name, data)
            except BaseError as error:
                raise self._lost(error) from error

    def get(self, name: str) -> bytes | None:
        try:
            return bytes(obstore.get(self._store, name).bytes())
        except FileNotFoundError:
            return None
        except BaseError as error:
            raise self._lost(error) from error

    def objects(self, prefix: str) -> Iterator[StoredBlob]:
        try:
            for batch in obstore.list(self._store, prefix):
                for one in batch:
                    if safe_name(one["path"]):
                        yield StoredBlob(one["path"], one["size"], one["e_tag"] or str(one["last_modified"]))
        except BaseError as error:
            raise self._lost(error) from error

    def _lost(self, error: BaseError) -> LaneError:
        refused = isinstance(error, PermissionDeniedError | UnauthenticatedError)
        if refused or _REFUSED.search(_first_line(error)):
            return NotAllowedError(f"{self._address} refuses these credentials", hint=_RENEW)
        return UnreachableError(f"{self._address} does not answer: {_first_line(error)}", hint=_CHECK)


def _first_line(error: BaseError) -> str:
    """Without the lines behind it, which name requests and their signatures."""
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
