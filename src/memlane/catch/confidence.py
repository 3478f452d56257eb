"""How sure is sure enough: the two numbers that every Memory's state begins with."""

ACTIVE_FROM = 60  # recalled from here on
STORED_FROM = 40  # held from here on, below it is not kept
