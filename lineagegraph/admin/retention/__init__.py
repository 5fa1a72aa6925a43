"""Retention: delete old runs and code that no kept node refers to."""

from lineagegraph.admin.retention.code import CodeReport, delete_code
from lineagegraph.admin.retention.logs import delete_logs
from lineagegraph.admin.retention.report import Report
from lineagegraph.admin.retention.sweep import sweep

__all__ = ["CodeReport", "Report", "delete_code", "delete_logs", "sweep"]
