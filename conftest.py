"""In the root, so that every run of pytest meets it, whatever part of the project it is asked for."""

pytest_plugins = ["nbval_guard"]  # in tests/: the notebooks are compared in full, or the run is red
