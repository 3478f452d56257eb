"""Where do derived things rest? The ports; the engines behind them are chosen by Lane alone."""

from memlane.storage.ports import EVERYTHING, Found, Mark, RunFilter, Storage

__all__ = ["EVERYTHING", "Found", "Mark", "RunFilter", "Storage"]
