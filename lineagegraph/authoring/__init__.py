"""The authoring API: `lg.*` and `on.*`, as definition files call it.

Light to import: a definition file asks for no more than it names.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, ["limit", "on"])
