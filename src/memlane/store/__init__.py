"""Where else can bytes be kept? Named objects in a folder, in an object store or on the Hugging Face Hub.

One seam for all of them: a whole object is there or it is not. Knows names and bytes, not what they mean.
"""

from __future__ import annotations

from memlane.store.address import opened
from memlane.store.object_store import ObjectStore, StoredBlob, safe_name

__all__ = ["ObjectStore", "StoredBlob", "opened", "safe_name"]
