"""Two projects, as `sync` leaves them in the graph."""

from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.model.pipelines.definition import (
    CommandTask,
    Parameter,
    Pipeline,
    PipelineTask,
    Task,
)
from lineagegraph.model.runs.states import RunState
from lineagegraph.model.triggers.condition import OnStatus
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.triggers.schedules import Place, add_schedule
from tests.definitions import define


def make_projects(graph: Graph) -> None:
    """Write both: a shop's pipelines `load` and `report`, and a bank's `pay`."""
    work = CommandTask(command=("true",))
    inner = pipeline("inner", Task(name="x", work=work))
    month = Parameter(name="month", type="int", default=1)
    report = (
        Task(name="print", work=work),
        Task(name="inner", work=PipelineTask(pipeline=inner)),
    )
    define(graph, pipeline("load", Task(name="read", work=work)), "shop")
    define(graph, pipeline("report", *report, parameters=(month,)), "shop")
    define(graph, pipeline("pay", Task(name="send", work=work), namespace="money"), "bank")


def pipeline(name: str, *tasks: Task, namespace: str = "default", **said: Any) -> Pipeline:
    return Pipeline(name=name, namespace=namespace, tasks=tasks, **said)


def add_nightly(graph: Graph) -> None:
    """Make both projects, and a schedule that starts `report` when `load` completed."""
    make_projects(graph)
    rule = Trigger(when=OnStatus(job="load", statuses=(RunState.COMPLETED,), type="WORKFLOW"))
    graph.write(add_schedule, Place("default", "shop", "nightly"), "report", rule)
