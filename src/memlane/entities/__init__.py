"""Who or what is meant? One directory of all Entities, and what a Mention resolves to."""
