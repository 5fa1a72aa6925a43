"""The engine of one run: executes a pipeline version and reports OpenLineage events."""

from lineagegraph.execution.cancellation import Cancellation
from lineagegraph.execution.reports import EventReporter
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.run import RunServices, run_pipeline

__all__ = ["Cancellation", "EventReporter", "RunRequest", "RunServices", "run_pipeline"]
