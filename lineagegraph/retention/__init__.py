"""Old runs deleted, and nothing that what stays still leads to."""

from lineagegraph.retention.report import Report
from lineagegraph.retention.sweep import sweep

__all__ = ["Report", "sweep"]
