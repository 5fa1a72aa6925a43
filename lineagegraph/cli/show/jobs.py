"""`jobs`: all jobs as trees."""

from typing import Annotated

import typer
from rich.text import Text
from rich.tree import Tree

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import print_json, print_rest, print_table, print_tree
from lineagegraph.cli.formatting import clock, state_text
from lineagegraph.cli.options import Json, Limit, Namespace
from lineagegraph.queries.runs.hierarchy import LEVELS, Branch, list_roots, read_job_tree
from lineagegraph.settings import load_settings
from lineagegraph.store.jobs.hierarchy import JobTreeRow


def jobs(
    job: Annotated[str | None, typer.Argument(help="Show this job and its descendants.")] = None,
    namespace: Namespace = None,
    limit: Limit = 500,
    json: Json = False,
) -> None:
    """List the top-level jobs, or show one job with all its descendants."""
    with connected(load_settings()) as graph:
        if job is None:
            found = list_roots(graph, namespace, limit)
            print_json(found.jobs) if json else _print_roots(found.jobs, namespace)
            print_rest(found.left_out)
        else:
            tree = read_job_tree(graph, job, namespace, limit)
            print_json(tree) if json else print_tree(job_tree(tree))
            print_rest(tree.left_out or 0, f", down to level {LEVELS}")


def _print_roots(found: list[JobTreeRow], namespace: str | None) -> None:
    rows = [
        (
            Text(job.name, "bold"),
            job.namespace,
            job.kind,
            state_text(job.state or "-"),
            clock(job.started_at),
            str(job.runs),
        )
        for job in found
    ]
    columns = ("JOB", "NAMESPACE", "KIND", "LATEST", "STARTED", "RUNS")
    empty = "no jobs yet: create some with `lineagegraph demo`"
    print_table(columns, rows, f"no jobs in namespace {namespace}" if namespace else empty)


def job_tree(branch: Branch[JobTreeRow], depth: int = 0) -> Tree:
    """Return the tree of a job and its descendants."""
    job = branch.item
    label = Text.assemble((job.simple_name if depth else job.name, "bold"), " ")
    label.append(job.kind or "job", "dim")
    if job.state:
        label = Text.assemble(label, "  ", state_text(job.state), " ", clock(job.started_at))
    tree = Tree(label)
    for child in branch.children:
        tree.add(job_tree(child, depth + 1))
    return tree
