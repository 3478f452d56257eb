"""Which closed parts of a Run should be read, and which Triggers do they contain?"""

from memlane.catch.windows.borders import IDLE, ClosedWindows, WindowOrigin, closed

__all__ = ["IDLE", "ClosedWindows", "WindowOrigin", "closed"]
