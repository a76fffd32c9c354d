"""What ``python -m retryq`` does: run, check and draw."""
