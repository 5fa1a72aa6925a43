"""Pipelines that their author can run, register and export: the results of `lg.pipeline`.

A definition file imports this in a child process, so all heavy imports wait for a call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from lineagegraph.authoring import batches, pipelines
from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.pipelines import PipelineHandle

if TYPE_CHECKING:
    from lineagegraph.client.pipeline_run import PipelineRun
    from lineagegraph.client.register import Registered

P = ParamSpec("P")


class RunnablePipeline(PipelineHandle):
    """A stated pipeline with the methods of the client."""

    def run(
        self,
        *,
        spark: Any = None,
        only: Sequence[str] = (),
        params: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> PipelineRun:
        """Start a run of it as it is now; await the result, or let it go on.

        `values` are its parameters; `params` has those whose names Python or this method uses
        itself. With the session `spark` it runs in this process, otherwise with one of its own. The
        active version stays: `register()` changes that.
        """
        from lineagegraph.client.run_pipeline import run_pipeline

        return run_pipeline(self, {**(params or {}), **values}, spark=spark, only=only)

    def register(self) -> Registered | None:
        """Make it the active version, with its triggers; the result lists its next starts."""
        from lineagegraph.client.register import register

        return register(self)

    def export(self, path: str | Path) -> Path:
        """Write it as a definition file that `lineagegraph sync` reads; `path` must be new.

        The file has the statements of the cells or files that make the pipeline. Raises
        `DefinitionError` if these are not known, or make another pipeline.
        """
        from lineagegraph.client.export import export

        return export(self, Path(path))


def _runnable(state: Callable[P, PipelineHandle]) -> Callable[P, RunnablePipeline]:
    @wraps(state)
    def stated(*args: P.args, **kwargs: P.kwargs) -> RunnablePipeline:
        handle = state(*args, **kwargs)
        values = {field.name: getattr(handle, field.name) for field in fields(handle)}
        runnable = RunnablePipeline(**values)
        collected = declared().pipelines
        collected[collected.index(handle)] = runnable
        return runnable

    return stated


pipeline = _runnable(pipelines.pipeline)
batch = _runnable(batches.batch)
