"""How `retryq.guard` holds code that may never return: in a child process, in a thread, or where it stands."""
