"""What does a sentence claim? Do two say the same, speak of the same things, deny each other? No storage, no model."""
