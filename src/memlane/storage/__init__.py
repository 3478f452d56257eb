"""Where do derived things rest? The ports, and how the Journal fills them; engines are chosen by Lane alone."""

from memlane.storage.ports import EVERYTHING, Found, Mark, RunFilter, Storage
from memlane.storage.projection import apply, memory_data, recall_data

__all__ = ["EVERYTHING", "Found", "Mark", "RunFilter", "Storage", "apply", "memory_data", "recall_data"]
