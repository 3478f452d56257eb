"""What does the machine offer? Disk, processes, timers, HTTP and other programs' files."""
