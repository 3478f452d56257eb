"""Is this home in order, and what can be done if not?"""
