"""Widgets over the graph: what people look at, click and watch in a notebook."""

from lineagegraph.notebook.widgets.freshness_board import FreshnessBoard

__all__ = ["FreshnessBoard"]
