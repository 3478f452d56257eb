"""How does anyone reach us? The command line, the agents' hooks, and the process that answers them."""
