"""Who reads closed Windows, and what became of each?"""
