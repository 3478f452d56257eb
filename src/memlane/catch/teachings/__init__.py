"""What does a person teach in plain words? Found in one prompt, with no model."""

from memlane.catch.teachings.find import Sureness, Teaching, teachings

__all__ = ["Sureness", "Teaching", "teachings"]
