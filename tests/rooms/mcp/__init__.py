"""MCP: the protocol, the schemas and the tools, on a home of their own."""
