"""How do people and programs reach us? The command line, the agents' hooks, the daemon, HTTP, MCP and web pages."""
