"""What does the machine under us offer: disk, processes, timers, HTTP, other programs' files?"""
