"""`%%pipeline`: a cell that states pipelines, which are kept as versions."""

from collections.abc import Mapping
from typing import Any, Protocol, cast

from IPython.core.interactiveshell import InteractiveShell

from lineagegraph.authoring.declared import declared
from lineagegraph.authoring.pipelines import PipelineHandle, pipelines_of
from lineagegraph.errors import DefinitionError
from lineagegraph.notebook.magics.words import read_words, split_params
from lineagegraph.notebook.results import Result
from lineagegraph.reading.session_pipeline import sync
from lineagegraph.reading.write_versions import SyncedPipeline


class _Runnable(Protocol):
    """A pipeline of `lg.pipeline`, whose runs belong to the client, a layer above."""

    def run(self, *, params: Mapping[str, Any]) -> Any: ...


class PipelineMagic:
    """The magic of one notebook."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell

    def pipeline(self, line: str, cell: str) -> object:
        """Keep the pipelines that a cell states as versions: `%%pipeline [--run] [--params …]`.

        The cell is run first. With `--run` the last pipeline is run too; Interrupt stops it.
        """
        rest, params = split_params(line, self._shell.user_ns)
        words = read_words("pipeline", rest)
        handles = self._stated(cell)
        kept = [synced for handle in handles if (synced := sync(handle)) is not None]
        result = Result.listing(kept, SyncedPipeline, ("pipeline", "version", "is_new"))
        if not words.run:
            return result
        print(result)
        return cast("_Runnable", handles[-1]).run(params=params).wait()

    def _stated(self, cell: str) -> list[PipelineHandle]:
        before = len(pipelines_of(declared()))
        if not self._shell.run_cell(cell).success:
            raise DefinitionError("the cell failed: none of its pipelines is stored")
        stated = {(one.namespace, one.name): one for one in pipelines_of(declared())[before:]}
        if not stated:
            raise DefinitionError("the cell defines no pipeline: it needs lg.pipeline(…)")
        return list(stated.values())
