"""What PostgreSQL refuses or leaves unanswered, in our own errors. Knows no table and keeps no connection."""

from __future__ import annotations

import errno
from collections.abc import Generator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from memlane.errors import BusyError, IndexDamagedError, NotAllowedError, UnreachableError

# Everything that is written is written again with the same result, so an answer that got lost is no question.
AGAIN = "try again: nothing is lost, and doing it twice changes nothing"
REBUILD = "lane rebuild   (the archive is untouched)"

LOST = (psycopg.InterfaceError, PoolTimeout)
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
        raise BusyError("a newer index has taken the place of this one", hint="ask again") from error
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
        raise UnreachableError("PostgreSQL took too long and was told to stop", hint=AGAIN) from error
    except (psycopg.OperationalError, *LOST) as error:
        raise UnreachableError(f"PostgreSQL does not answer: {_first_line(error)}", hint=AGAIN) from error


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
