"""One place in an object store, in the few verbs that an archive needs. Two of them make it safe: `create`, which fails
when the name is taken, and `swap`, which fails when the object is no longer the one that was seen.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotSupportedError, PreconditionError
from obstore.store import from_url

from memlane.errors import StoreAwayError, UsageError

CONNECT, PATIENCE = timedelta(seconds=3), timedelta(seconds=20)
TRIES = 2
REST = 2.0  # seconds in which a store that did not answer is not asked again
HINT = "check the store, the network and the credentials in your environment (AWS_ACCESS_KEY_ID …)"


class ChangedError(Exception):
    """The object is gone, or another one than was seen: look again."""


@dataclass(frozen=True, slots=True)
class ObjectSeen:
    """One object as it was listed. `version` changes whenever its bytes do."""

    name: str
    size: int
    version: str
    at: datetime | None  # when it was written; None: by us, just now


class Bucket:
    """Credentials come from the environment, as the store's own clients read it."""

    def __init__(self, address: str, *, plain_http: bool) -> None:
        options: Any = {"allow_http": plain_http, "timeout": PATIENCE, "connect_timeout": CONNECT}
        retry: Any = {"max_retries": TRIES, "retry_timeout": PATIENCE}
        local = {} if address.startswith("file:") else {"client_options": options, "retry_config": retry}
        try:
            self._store: Any = from_url(address, **local)
        except (BaseError, ValueError) as error:
            said = str(error).strip().partition("\n")[0][:200]
            raise UsageError(f"{address} cannot be used: {said}", hint=f"s3://BUCKET/PREFIX; {HINT}") from error
        self.address = address.rstrip("/")
        self._away_until = 0.0

    # -- reading -------------------------------------------------------------------------------------------------------

    def head(self, name: str) -> ObjectSeen | None:
        try:
            return _seen(self._asked(obstore.head, name))
        except FileNotFoundError:
            return None

    def get(self, name: str) -> bytes:
        """ChangedError: there is no such object."""
        try:
            return bytes(self._asked(obstore.get, name).bytes())
        except FileNotFoundError as error:
            raise ChangedError from error

    def get_range(self, seen: ObjectSeen, start: int, end: int) -> bytes:
        options = {"range": (start, end), "if_match": seen.version}
        try:
            return bytes(self._asked(obstore.get, seen.name, options=options).bytes())
        except (FileNotFoundError, PreconditionError) as error:
            raise ChangedError from error

    def below(self, folder: str, after: str = "") -> Iterator[ObjectSeen]:
        """Everything in a folder, at any depth, in the order of names."""
        yield from map(_seen, self._asked(_listed, folder, after))

    def inside(self, folder: str) -> tuple[Sequence[str], Sequence[str]]:
        """The names of the objects and of the folders directly in a folder. FileNotFoundError: there is none."""
        found = self._asked(obstore.list_with_delimiter, folder or None)
        objects = [
            one["path"] for one in found["objects"] if one["path"] != folder
        ]  # some list an empty folder in itself
        folders: Sequence[str] = found["common_prefixes"]
        if not found["objects"] and not folders:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", folder)
        return [path.rpartition("/")[2] for path in objects], [path.rpartition("/")[2] for path in folders]

    def has(self, folder: str) -> bool:
        """Whether anything is in it."""
        return bool(self._asked(_first, folder))

    # -- writing -------------------------------------------------------------------------------------------------------

    def create(self, name: str, data: Any) -> ObjectSeen | None:
        """None: the name is taken."""
        try:
            made = self._asked(obstore.put, name, data, mode="create", use_multipart=False)
        except AlreadyExistsError:
            return None
        return ObjectSeen(name, len(data), made["e_tag"] or "", None)

    def swap(self, seen: ObjectSeen | None, name: str, data: Any) -> ObjectSeen | None:
        """None: it is not what was seen, or this store cannot tell."""
        if seen is None:
            return self.create(name, data)
        try:
            made = self._asked(obstore.put, name, data, mode={"e_tag": seen.version}, use_multipart=False)
        except (AlreadyExistsError, PreconditionError, FileNotFoundError, NotSupportedError, NotImplementedError):
            return None
        return ObjectSeen(name, len(data), made["e_tag"] or "", None)

    def delete(self, names: Sequence[str]) -> None:
        """Those that are there."""
        try:
            self._asked(obstore.delete, list(names))
        except FileNotFoundError:
            for name in names:
                self._delete_one(name)

    def _delete_one(self, name: str) -> None:
        try:
            self._asked(obstore.delete, name)
        except FileNotFoundError:
            return

    # -- a store that does not answer ----------------------------------------------------------------------------------

    def _asked(self, what: Any, *given: Any, **options: Any) -> Any:
        if time.monotonic() < self._away_until:
            raise StoreAwayError(f"{self.address} did not answer a moment ago", hint=HINT)
        try:
            return what(self._store, *given, **options)
        except (AlreadyExistsError, PreconditionError, NotSupportedError):
            raise
        except BaseError as error:
            self._away_until = time.monotonic() + REST
            said = str(error).strip().partition("\n")[0][:200] or type(error).__name__
            raise StoreAwayError(f"{self.address} does not answer: {said}", hint=HINT) from error


def _listed(store: Any, folder: str, after: str) -> Sequence[Any]:
    return [one for batch in obstore.list(store, folder or None, offset=after or None) for one in batch]


def _first(store: Any, folder: str) -> Sequence[Any]:
    nothing: Sequence[Any] = ()
    return next(iter(obstore.list(store, folder or None, chunk_size=1)), nothing)


def _seen(one: Any) -> ObjectSeen:
    return ObjectSeen(one["path"], one["size"], one["e_tag"] or str(one["last_modified"]), one["last_modified"])


@cache
def bucket_at(address: str, *, plain_http: bool) -> Bucket:
    """One client for each address and process: it keeps its connections."""
    return Bucket(address, plain_http=plain_http)
