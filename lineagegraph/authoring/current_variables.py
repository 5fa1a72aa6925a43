"""Current values of variables, for reading definitions and for code outside definitions and tasks.

A program that runs as a task belongs to its run: the run records the values that it read.
"""

import os
from typing import Any

from lineagegraph import neo4j_server
from lineagegraph.errors import GraphError, VariableNotSet
from lineagegraph.graph import Graph, answers
from lineagegraph.settings import Settings, load_settings
from lineagegraph.store.admin import variables
from lineagegraph.store.connect import connect


def all_values(graph: Graph) -> dict[str, Any]:
    """Return the values of all variables that are set, for processes that read definitions."""
    rows = graph.read(variables.list_values)
    return {row.name: variables.read_value(row.value) for row in rows}


def value_of_now(name: str) -> Any:
    """Return a variable's current value from the settings' graph; Neo4j is not started for it.

    For code outside definitions and task functions: in a notebook, or in a program.
    """
    settings = load_settings()
    if not _is_up(settings):
        raise _unknown(name, "Neo4j is not running")
    try:
        with connect(settings) as graph:
            return value_in(graph, name)
    except GraphError as error:
        raise _unknown(name, str(error)) from error


def value_in(graph: Graph, name: str) -> Any:
    """Return a variable's value, None if it is not set; a task's program reads that of its run."""
    if run_id := _run_of_this_program():
        return graph.write(variables.see_variable, run_id, name)[name]
    text = graph.read(variables.get_value, name=name)
    return None if text is None else variables.read_value(text)


def _run_of_this_program() -> str | None:
    """Return the pipeline's run if a worker started this process as one of its tasks."""
    if "LINEAGEGRAPH_RUN_ID" not in os.environ:
        return None
    return os.environ.get("OPENLINEAGE_ROOT_PARENT_ID", "").rpartition("/")[2] or None


def _is_up(settings: Settings) -> bool:
    if settings.neo4j_uri:
        return True
    return neo4j_server.status(settings, answers).state is neo4j_server.ServerState.RUNNING


def _unknown(name: str, reason: str) -> VariableNotSet:
    return VariableNotSet(
        f"lg.variable({name!r}) was called outside a definition or task, and {reason}: start it "
        "with `lineagegraph up`, or set values with `with lineagegraph.testing.variables(…)`"
    )
