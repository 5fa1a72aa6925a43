"""What ran, as which version, on which data, and what runs next.

A definition file needs `import lineagegraph as lg` and `from lineagegraph import on`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineagegraph.authoring import limit, on
    from lineagegraph.authoring.batch_tasks import cluster, notebook_task, sql
    from lineagegraph.authoring.declared import file
    from lineagegraph.authoring.pipeline_options import param
    from lineagegraph.authoring.sensors import sensor
    from lineagegraph.authoring.tasks import command, group, spark_submit, task
    from lineagegraph.authoring.terms import depends, freshness
    from lineagegraph.authoring.triggers import payload, trigger
    from lineagegraph.authoring.variables import variable
    from lineagegraph.client.captured_run import run
    from lineagegraph.client.connected_graph import connect
    from lineagegraph.client.export import export
    from lineagegraph.client.known_runs import rerun, start
    from lineagegraph.client.pipeline_run import PipelineRun
    from lineagegraph.client.pipelines import batch, pipeline
    from lineagegraph.client.register import Registered, register
    from lineagegraph.client.run_pipeline import run_pipeline
    from lineagegraph.client.waiting import wait, wait_async
    from lineagegraph.execution.emit import emit
    from lineagegraph.execution.expand import expand
    from lineagegraph.execution.upstream import upstream
    from lineagegraph.reading.session_pipeline import sync
    from lineagegraph.spark.tables.publish import publish

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
    "wait_async",
]

_HOMES = {
    "PipelineRun": "client.pipeline_run",
    "Registered": "client.register",
    "batch": "client.pipelines",
    "cluster": "authoring.batch_tasks",
    "command": "authoring.tasks",
    "connect": "client.connected_graph",
    "depends": "authoring.terms",
    "emit": "execution.emit",
    "expand": "execution.expand",
    "export": "client.export",
    "file": "authoring.declared",
    "freshness": "authoring.terms",
    "group": "authoring.tasks",
    "load_ipython_extension": "notebook.extension",
    "notebook_task": "authoring.batch_tasks",
    "param": "authoring.pipeline_options",
    "payload": "authoring.triggers",
    "pipeline": "client.pipelines",
    "publish": "spark.tables.publish",
    "register": "client.register",
    "rerun": "client.known_runs",
    "run": "client.captured_run",
    "run_pipeline": "client.run_pipeline",
    "sensor": "authoring.sensors",
    "spark_submit": "authoring.tasks",
    "sql": "authoring.batch_tasks",
    "start": "client.known_runs",
    "sync": "reading.session_pipeline",
    "task": "authoring.tasks",
    "trigger": "authoring.triggers",
    "upstream": "execution.upstream",
    "variable": "authoring.variables",
    "wait": "client.waiting",
    "wait_async": "client.waiting",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: a definition file needs neither Spark nor Neo4j."""
    if name in ("limit", "on"):
        return import_module(f"lineagegraph.authoring.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
