"""What is done to a room: it is killed, starved, raced, and run as a program of its own, beside real servers."""
