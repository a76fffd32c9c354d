"""retryq: a small job queue that retries, and everything needed to understand it.

Importing this package imports the standard library only. The rest of the kit lives in modules of its own:
``retryq.rules`` (the clauses), ``retryq.conformance`` (is my queue right?), ``retryq.timeline`` (the picture),
``retryq.lab`` and ``retryq.predict`` (the controls in a notebook).
"""

from retryq.queue import Job, Queue

__all__ = ["Job", "Queue"]
