"""What ran, as which version, on which data, and what runs next.

A definition file needs `import lineagegraph as lg` and `from lineagegraph import on`.
"""

import lazy_loader

# `__init__.pyi` lists the public names; each is imported when it is asked for, as a definition file
# needs neither Spark nor Neo4j.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
