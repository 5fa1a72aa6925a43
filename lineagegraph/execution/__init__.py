"""Runs one version of a pipeline inside this process, and reports it as OpenLineage events."""

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.reports import EventReporter
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.run import run_pipeline

__all__ = ["Cancellation", "EventReporter", "RunRequest", "run_pipeline"]
