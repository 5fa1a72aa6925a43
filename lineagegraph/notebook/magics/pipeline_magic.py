"""`%%pipeline`: a cell that states pipelines, which are kept as versions."""

from IPython.core.interactiveshell import InteractiveShell

from lineagegraph.definitions.declared import declared
from lineagegraph.errors import DefinitionError
from lineagegraph.notebook.magics.words import read_words
from lineagegraph.notebook.results import Result
from lineagegraph.parsing.sync_here import sync
from lineagegraph.parsing.write_pipeline import Synced


class PipelineMagic:
    """The magic of one notebook."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell

    def pipeline(self, line: str, cell: str) -> Result:
        """Run a cell, and keep the pipelines that it states as versions: `%%pipeline`."""
        read_words("pipeline", line)
        before = len(declared().pipelines)
        if not self._shell.run_cell(cell).success:
            raise DefinitionError("the cell failed: none of its pipelines is kept")
        handles = {one.name: one for one in declared().pipelines[before:]}
        if not handles:
            raise DefinitionError("the cell states no pipeline: it needs lg.pipeline(…)")
        kept = [synced for one in handles.values() if (synced := sync(one)) is not None]
        return Result.listing(kept, Synced, ("pipeline", "version", "is_new"))
