"""Spark sessions and the lineage of their actions."""

from lineagegraph.spark.archived_code import archived_code_conf, ship_by_value
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.progress import Stage, StageProgress
from lineagegraph.spark.sessions import SparkSessions
from lineagegraph.spark.submit import submit_command, submit_environment

__all__ = [
    "SparkSessions",
    "Stage",
    "StageProgress",
    "TaskContext",
    "archived_code_conf",
    "ship_by_value",
    "submit_command",
    "submit_environment",
]
