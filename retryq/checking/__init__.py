"""How `retryq.conformance` looks: the runs that it tries, the child that runs them, and the report that comes of it."""
