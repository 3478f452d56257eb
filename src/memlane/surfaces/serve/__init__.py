"""How do many machines reach us? One ASGI callable over the same routes and rules as the daemon's HTTP."""

from memlane.surfaces.serve.door import CentralDoor
from memlane.surfaces.serve.process import Listening, serve

__all__ = ["CentralDoor", "Listening", "serve"]
