"""The program an agent's hooks run: one stand-alone file that `lane init` copies, never in the agent's way."""
