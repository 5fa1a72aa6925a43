"""Pipelines from notebooks, prompts and scripts into the graph."""

from lineagegraph.definitions.declared import is_reading
from lineagegraph.definitions.pipelines import PipelineHandle
from lineagegraph.definitions.stated_here import parse_here
from lineagegraph.parsing.place import place
from lineagegraph.parsing.write_pipeline import Synced, write_pipelines
from lineagegraph.settings import load_settings
from lineagegraph.store.connect import open_graph


def sync(pipeline: PipelineHandle) -> Synced | None:
    """Keep a pipeline that was stated here as a version in the graph that the settings name.

    For notebooks, prompts and scripts. It keeps the functions of its tasks with what they have,
    and the cells or files that they are from. While a definition file is read it does nothing.
    """
    if is_reading():
        return None
    settings = load_settings()
    parsed = place(parse_here(pipeline), settings)
    with open_graph(settings) as graph:
        (synced,) = graph.write(write_pipelines, [parsed], application=settings.application)
        return synced
