"""Which Runs are there, and what do they say?"""
