"""Long fault and load runs, each one command with a count: `python -m campaigns.kill --n 10000`."""
