"""What is new on this machine, and how does it get into the archive?"""
