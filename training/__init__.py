"""How our own models are made: base weights and labelled memories in, small models and a record of the run out.

Nothing in `memlane` imports this; it needs torch, and the data it is given by path stays outside the repository.
"""
