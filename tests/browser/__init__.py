"""The kit where it is used: a real JupyterLab in a real browser. One server and one browser serve all of these tests.

A package, so that both are gone before the next test: while Playwright is at work, no other asyncio loop can run.
RETRYQ_SCREENSHOTS=some/folder keeps what the tests saw, for a person to look at.
"""
