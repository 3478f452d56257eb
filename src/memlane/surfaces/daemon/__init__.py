"""The process that answers the agents' hooks: one per home, started on demand, stopped when idle."""
