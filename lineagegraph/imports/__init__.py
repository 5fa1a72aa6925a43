"""Another lineage server's history into the graph, and out of it again."""

from lineagegraph.imports.replay import import_events
from lineagegraph.imports.source import MarquezSource
from lineagegraph.imports.undo import undo_import

__all__ = ["MarquezSource", "import_events", "undo_import"]
