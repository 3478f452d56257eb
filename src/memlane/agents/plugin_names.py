"""What our plugin is called in every agent that loads plugins."""

from __future__ import annotations

MARKETPLACE = "lane-local"
PLUGIN = "lane"
PLUGIN_ID = f"{PLUGIN}@{MARKETPLACE}"
