"""What do we still believe? Proposals to merge, supersede, make exact, retire and fade Memories, and their checks."""
