"""What everything costs: ``python -m tests.benchmarks``."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the sound queues of the tests, found as pytest finds them
