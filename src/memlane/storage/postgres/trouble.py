"""What PostgreSQL says went wrong, in our errors: its own words, and what helps. Never a password."""

from __future__ import annotations

import errno
import re
from collections.abc import Generator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from memlane.errors import (
    BusyError,
    IndexDamagedError,
    LaneError,
    NotAllowedError,
    NotSetUpError,
    UnreachableError,
    UsageError,
)

# Everything that is written is written again with the same result, so an answer that got lost is no question.
AGAIN = "try again: nothing is lost and repeating is safe"
REBUILD = "lane rebuild   (the archive is untouched)"

IN_THE_WAY = (errors.DeadlockDetected, errors.SerializationFailure, errors.LockNotAvailable)
GONE = (errors.UndefinedTable, errors.InvalidSchemaName)
DAMAGED = (errors.DataCorrupted, errors.IndexCorrupted)


@contextmanager
def translated() -> Generator[None, None, None]:
    try:
        yield
    except IN_THE_WAY as error:
        raise BusyError("another process is writing the same rows", hint="try again in a moment") from error
    except GONE as error:
        raise BusyError("the index was just replaced by a newer one", hint="try again") from error
    except DAMAGED as error:
        raise IndexDamagedError(f"the index is damaged: {_first_line(error)}", hint=REBUILD) from error
    except errors.DiskFull as error:
        raise OSError(errno.ENOSPC, "no space left for the index, where PostgreSQL keeps it") from error
    except errors.InsufficientPrivilege as error:
        hint = "let its user create schemas and the extension `vector` in this database"
        raise NotAllowedError(f"PostgreSQL refuses: {_first_line(error)}", hint=hint) from error
    except errors.ReadOnlySqlTransaction as error:
        raise OSError(errno.EROFS, "this index was opened for reading only") from error
    except errors.QueryCanceled as error:
        raise UnreachableError("PostgreSQL took too long and the query was cancelled", hint=AGAIN) from error
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise UnreachableError(f"PostgreSQL does not answer: {_first_line(error)}", hint=AGAIN) from error


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


# -- no connection -----------------------------------------------------------------------------------------------------

ADDRESS = (
    "check user, password, host and database: lane config set storage.url postgresql://USER:PASSWORD@HOST/DATABASE"
)
_DATABASE = re.compile(r'database "(?P<name>[^"]*)" does not exist')
_PASSING = re.compile(r"starting up|shutting down|recovery|not accepting|too many|remaining connection slots", re.I)
_NO_HOST = re.compile(r"translate host name|name or service not known|failed to resolve host", re.I)
_NO_ADDRESS = re.compile(r"servname not supported|invalid port", re.I)
_LEAD = re.compile(r"^connection (?:is bad|failed): ")  # psycopg's, before what libpq says
_NO_SERVER = re.compile(r"connection refused|no such file or directory|is the server running", re.I)


def is_final(said: str) -> bool:
    """Waiting does not help: the server answered with a refusal, there is no such host, or no such address."""
    if not said or _NO_HOST.search(said):
        return True
    return "FATAL" in said and not _PASSING.search(said)


def no_connection(said: str) -> LaneError:
    """Why there is none, from what the last attempt was told; "": the address itself makes no sense."""
    words = _telling_line(said)
    if not said or _NO_ADDRESS.search(said):  # what libpq says of an address may quote a part of the password
        hint = "percent-encode special characters of the password (%40 for @, %2F for /), and give the port as a number"
        return UsageError("storage.url is not an address PostgreSQL understands", hint=hint)
    if _NO_HOST.search(said):
        return UnreachableError(f"the host of storage.url is unknown: {words}", hint=ADDRESS)
    if missing := _DATABASE.search(said):
        return NotSetUpError(f"PostgreSQL refuses: {words}", hint=f"createdb {missing['name']}, or: {ADDRESS}")
    if is_final(said):
        return NotAllowedError(f"PostgreSQL refuses: {words}", hint=ADDRESS)
    if _NO_SERVER.search(said):
        return UnreachableError(f"PostgreSQL does not answer: {words}", hint=f"start it, or {ADDRESS}")
    return UnreachableError(f"PostgreSQL does not answer: {words}", hint=AGAIN)


def _telling_line(said: str) -> str:
    """One attempt for each address of a host: what a server said tells more than that another one is not there."""
    lines = [_LEAD.sub("", line.strip()) for line in said.splitlines() if line.strip()]
    return next((line for line in lines if "FATAL" in line), lines[0] if lines else "nothing")
