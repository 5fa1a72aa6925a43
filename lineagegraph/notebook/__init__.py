"""The graph in a notebook: queries as data frames, lineage as pictures."""

from lineagegraph.notebook.session import LineageView, Session, connect

__all__ = ["LineageView", "Session", "connect"]
