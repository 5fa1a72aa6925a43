"""What ran, as which version, on which data, and what runs next.

A definition file needs `import lineagegraph as lg` and `from lineagegraph import on`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineagegraph.definitions import limit, on
    from lineagegraph.definitions.batch_tasks import cluster, notebook_task, sql
    from lineagegraph.definitions.file_statement import file
    from lineagegraph.definitions.parameters import param
    from lineagegraph.definitions.sensors import sensor
    from lineagegraph.definitions.tasks import command, group, spark_submit, task
    from lineagegraph.definitions.terms import depends, freshness
    from lineagegraph.definitions.triggers import payload, trigger
    from lineagegraph.definitions.variables import variable
    from lineagegraph.driving.captured_run import run
    from lineagegraph.driving.export import export
    from lineagegraph.driving.known_runs import rerun, start
    from lineagegraph.driving.pipeline_run import PipelineRun
    from lineagegraph.driving.pipelines import batch, pipeline
    from lineagegraph.driving.register import Registered, register
    from lineagegraph.driving.run_pipeline import run_pipeline
    from lineagegraph.execution.emit import emit
    from lineagegraph.execution.expand import expand
    from lineagegraph.execution.upstream import upstream
    from lineagegraph.notebook.open_session import connect
    from lineagegraph.parsing.sync_here import sync
    from lineagegraph.spark.tables.publish import publish
    from lineagegraph.waits import wait, wait_for

__all__ = [
    "PipelineRun",
    "Registered",
    "batch",
    "cluster",
    "command",
    "connect",
    "depends",
    "emit",
    "expand",
    "export",
    "file",
    "freshness",
    "group",
    "limit",
    "notebook_task",
    "on",
    "param",
    "payload",
    "pipeline",
    "publish",
    "register",
    "rerun",
    "run",
    "run_pipeline",
    "sensor",
    "spark_submit",
    "sql",
    "start",
    "sync",
    "task",
    "trigger",
    "upstream",
    "variable",
    "wait",
    "wait_for",
]

_HOMES = {
    "PipelineRun": "driving.pipeline_run",
    "Registered": "driving.register",
    "batch": "driving.pipelines",
    "cluster": "definitions.batch_tasks",
    "command": "definitions.tasks",
    "connect": "notebook.open_session",
    "depends": "definitions.terms",
    "emit": "execution.emit",
    "expand": "execution.expand",
    "export": "driving.export",
    "file": "definitions.file_statement",
    "freshness": "definitions.terms",
    "group": "definitions.tasks",
    "load_ipython_extension": "notebook.extension",
    "notebook_task": "definitions.batch_tasks",
    "param": "definitions.parameters",
    "payload": "definitions.triggers",
    "pipeline": "driving.pipelines",
    "publish": "spark.tables.publish",
    "register": "driving.register",
    "rerun": "driving.known_runs",
    "run": "driving.captured_run",
    "run_pipeline": "driving.run_pipeline",
    "sensor": "definitions.sensors",
    "spark_submit": "definitions.tasks",
    "sql": "definitions.batch_tasks",
    "start": "driving.known_runs",
    "sync": "parsing.sync_here",
    "task": "definitions.tasks",
    "trigger": "definitions.triggers",
    "upstream": "execution.upstream",
    "variable": "definitions.variables",
    "wait": "waits",
    "wait_for": "waits",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: a definition file needs neither Spark nor Neo4j."""
    if name in ("limit", "on"):
        return import_module(f"lineagegraph.definitions.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
