"""Read models of the graph: what exists, what ran, where data came from; and drawings of it."""

from lineagegraph.explore.details import read_details
from lineagegraph.explore.dot import to_dot
from lineagegraph.explore.emits import read_emits
from lineagegraph.explore.find import find_dataset, find_job, find_node, find_run
from lineagegraph.explore.firings import read_firings
from lineagegraph.explore.forwards import read_refused, read_targets
from lineagegraph.explore.hierarchy import list_roots, read_job_tree, read_run_tree
from lineagegraph.explore.lineage import walk_lineage
from lineagegraph.explore.lineage_graph import LineageGraph
from lineagegraph.explore.mermaid import to_mermaid
from lineagegraph.explore.networks import to_networkx
from lineagegraph.explore.next_times import read_next
from lineagegraph.explore.notifications import read_notifications
from lineagegraph.explore.runs import read_run, read_runs
from lineagegraph.explore.svg import to_svg
from lineagegraph.explore.triggers import find_trigger, read_trigger, read_triggers
from lineagegraph.explore.why import read_why

__all__ = [
    "LineageGraph",
    "find_dataset",
    "find_job",
    "find_node",
    "find_run",
    "find_trigger",
    "list_roots",
    "read_details",
    "read_emits",
    "read_firings",
    "read_job_tree",
    "read_next",
    "read_notifications",
    "read_refused",
    "read_run",
    "read_run_tree",
    "read_runs",
    "read_targets",
    "read_trigger",
    "read_triggers",
    "read_why",
    "to_dot",
    "to_mermaid",
    "to_networkx",
    "to_svg",
    "walk_lineage",
]
