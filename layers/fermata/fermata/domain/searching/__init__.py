"""What a search asks for, as values: conditions over facts, what they say about a fact, which runs they leave, in which order."""
