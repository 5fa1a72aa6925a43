"""The variables as they are now: for a reading of definitions, and for code outside of all.

A program that is a task counts as its run: the run keeps what the program found.
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
    """Return a variable's value from the graph that the settings name, which is not started.

    For code that is neither a definition's nor a task's function: a notebook's, or a program's.
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
    """Return a variable's value, None where it is not set; a task's program has its run's."""
    if run_id := _run_of_this_program():
        return graph.write(variables.see_variable, run_id, name)[name]
    text = graph.read(variables.get_value, name=name)
    return None if text is None else variables.read_value(text)


def _run_of_this_program() -> str | None:
    """Return the pipeline's run, where a worker started this process as a task of it."""
    if "LINEAGEGRAPH_RUN_ID" not in os.environ:
        return None
    return os.environ.get("OPENLINEAGE_ROOT_PARENT_ID", "").rpartition("/")[2] or None


def _is_up(settings: Settings) -> bool:
    if settings.neo4j_uri:
        return True
    return neo4j_server.status(settings, answers).state is neo4j_server.ServerState.RUNNING


def _unknown(name: str, why: str) -> VariableNotSet:
    return VariableNotSet(
        f"lg.variable({name!r}) was called outside a definition and a task, and {why}: start it "
        "by `lineagegraph up`, or give values by `with lineagegraph.testing.variables(…)`"
    )
