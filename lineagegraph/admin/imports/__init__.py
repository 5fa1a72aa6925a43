"""Another lineage server's history into the graph, and out of it again."""

from lineagegraph.admin.imports.replay import import_events
from lineagegraph.admin.imports.source import MarquezSource
from lineagegraph.admin.imports.undo import undo_import

__all__ = ["MarquezSource", "import_events", "undo_import"]
