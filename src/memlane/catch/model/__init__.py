"""How is a language model asked, and what may it answer? One versioned prompt for the agent and the model alike."""
