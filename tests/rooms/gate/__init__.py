"""The gate: which bytes must never be kept outside the archive?"""
