"""What was done to Memories, by whom, and how is it taken back?"""
