"""What `retryq.lab` is made of: a session that can be played without widgets, its words, its pages and its controls."""
