"""What does an agent get to know now, and why?"""
