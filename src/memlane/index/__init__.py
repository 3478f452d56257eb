"""How does a Run become findable? Turns in, Chunks and a summary out. Everything here can be made again."""

from memlane.index.build import Build, Filed, Learned
from memlane.index.chunk import chunks_of, split

__all__ = ["Build", "Filed", "Learned", "chunks_of", "split"]
