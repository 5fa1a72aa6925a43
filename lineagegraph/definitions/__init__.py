"""Pipelines as their users state them in Python, read in child processes and kept as versions.

Light to import: a definition file asks for no more than it names.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, ["limit", "on"])
