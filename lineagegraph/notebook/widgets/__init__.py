"""Widgets of the graph for notebooks."""

from lineagegraph.notebook.widgets.explorer import Explorer
from lineagegraph.notebook.widgets.freshness_board import FreshnessBoard
from lineagegraph.notebook.widgets.live_run import LiveRun
from lineagegraph.notebook.widgets.run_history import RunHistory
from lineagegraph.notebook.widgets.trigger_panel import TriggerPanel

__all__ = ["Explorer", "FreshnessBoard", "LiveRun", "RunHistory", "TriggerPanel"]
