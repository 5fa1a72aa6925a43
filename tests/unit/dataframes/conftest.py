"""What code reads and writes below a folder, as a task would note it."""

from pathlib import Path

import pandas
import pytest

from lineagegraph.execution.outcome import PASSED
from lineagegraph.execution.used import TaskUses


class Noted:
    """What a task read and wrote below a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._uses = TaskUses(())
        self._ended = None

    def __enter__(self):
        self._around = self._uses.receiving()
        self._around.__enter__()
        return self

    def __exit__(self, *exc):
        self._around.__exit__(None, None, None)
        outcome = self._uses.on(PASSED)
        self.inputs = {self.short(one): one for one in outcome.inputs}
        self.outputs = {self.short(one): one for one in outcome.outputs}

    def short(self, dataset):
        """Return the name relative to the folder, after the kind of a database."""
        _, _, file = dataset["namespace"].partition(":")
        whole = f"{file}:{dataset['name']}" if file else dataset["name"]
        return whole.replace(f"{self._folder}/", "")

    def origins(self, output):
        """Return the origins of the columns of an output."""
        fields = self.outputs[output]["facets"]["columnLineage"]["fields"]
        return {
            column: [
                (self.short(one), one["field"], one["transformations"][0]["subtype"])
                for one in found["inputFields"]
            ]
            for column, found in fields.items()
        }


@pytest.fixture
def noted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pandas.DataFrame({"k": [1, 2], "v": ["a", "b"]}).to_csv("in.csv", index=False)
    return Noted(tmp_path)
