"""Real agent clients, driven offline: a scripted model on loopback, and one class per client that runs it."""
