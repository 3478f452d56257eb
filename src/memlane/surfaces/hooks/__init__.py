"""The program that an agent's hooks run: one stand-alone file that `lane init` copies. It never blocks the agent."""
