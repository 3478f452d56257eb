"""Chats a person exports and hands over: each kind is an agent that has a reader and nothing else."""

from __future__ import annotations

from memlane.agents.agent import Agent

_HERE = "memlane.agents.exports"
CHATGPT = Agent("chatgpt", "ChatGPT", {"source": f"{_HERE}.chatgpt:CHATGPT"})
CLAUDE_AI = Agent("claude-ai", "Claude.ai", {"source": f"{_HERE}.claude_ai:CLAUDE_AI"}, also_called=("claude.ai",))
HUGGINGCHAT = Agent("huggingchat", "HuggingChat", {"source": f"{_HERE}.huggingchat:HUGGINGCHAT"})
NEUTRAL = Agent("neutral", "neutral runs", {"source": f"{_HERE}.neutral:Neutral"}, also_called=("jsonl",))
