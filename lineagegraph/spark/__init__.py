"""Spark sessions, and the lineage of what is done with them."""

from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.progress import StageProgress
from lineagegraph.spark.sessions import SparkSessions
from lineagegraph.spark.submit import submit_command, submit_environment

__all__ = [
    "SparkSessions",
    "StageProgress",
    "TaskContext",
    "submit_command",
    "submit_environment",
]
