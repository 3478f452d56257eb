"""One module per question: `python -m benchmarks.NAME [--json]`; kept figures are in `results/`."""
