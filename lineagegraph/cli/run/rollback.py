"""`rollback`: pin a pipeline to an older version, and release it."""

from typing import Annotated

import typer

from lineagegraph.cli.connect import connected
from lineagegraph.cli.console import results
from lineagegraph.cli.options import Namespace
from lineagegraph.queries.find.find import find_job
from lineagegraph.runs.rollback import pin_pipeline, release_pipeline
from lineagegraph.runs.stored_version import VersionedJob
from lineagegraph.settings import load_settings


def rollback(
    job: Annotated[str, typer.Argument(help="Full name or unique simple name of a pipeline.")],
    version: Annotated[
        str | None, typer.Argument(help="Stored version, by 4 or more digits of its hash.")
    ] = None,
    latest: Annotated[
        bool, typer.Option("--latest", help="Release the pipeline: run its latest version again.")
    ] = False,
    namespace: Namespace = None,
) -> None:
    """Run an older version of a pipeline, with its triggers, until `--latest`.

    Meanwhile, `sync` stores new versions, but does not run them.
    """
    if (version is None) is not latest:
        raise typer.BadParameter("give a version, or --latest")
    settings = load_settings()
    with connected(settings) as graph:
        found = find_job(graph, job, namespace)
        named = VersionedJob(found.key, found.fqn)
        if version is None:
            released = release_pipeline(graph, named)
            results.print(f"{found.fqn} runs version {released[:12]}, the latest, from now on")
            return
        pinned = pin_pipeline(graph, settings, named, version)
        results.print(
            f"{found.fqn} is pinned to version {pinned[:12]}: `lineagegraph rollback {found.fqn} "
            "--latest` releases it"
        )
