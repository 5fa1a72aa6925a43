"""Old runs and code deleted, and nothing that what stays still leads to."""

from lineagegraph.retention.code import CodeReport, delete_code
from lineagegraph.retention.report import Report
from lineagegraph.retention.sweep import sweep

__all__ = ["CodeReport", "Report", "delete_code", "sweep"]
