"""What a reading of definitions comes to."""

from typing import Self

import msgspec

from lineagegraph.reading.places import Target
from lineagegraph.reading.write_file import Written
from lineagegraph.reading.write_pipeline import Synced
from lineagegraph.store.pipelines.definition_files import FileRow


class Dynamic(msgspec.Struct, frozen=True):
    """A file that is read again at the start of each run, and the places that are why."""

    file: str
    because: tuple[str, ...]


class SyncResult(msgspec.Struct):
    """What was read, what is not in force any more, and one line for each failure.

    `kept` are pipelines that could not be read, and stay as they were read last.
    """

    pipelines: list[Synced] = []
    failures: list[str] = []
    withdrawn: list[str] = []
    kept: list[str] = []
    dynamic: list[Dynamic] = []

    def keep(self, row: FileRow) -> None:
        """Note a file that is as it was."""
        self.pipelines += [
            Synced(one.name, one.version or "", is_new=False, file=one.file)
            for one in row.pipelines
        ]

    def add(self, target: Target, written: Written) -> None:
        """Note what came of a file."""
        self.pipelines += written.pipelines
        self.failures += written.faults
        self.withdrawn += written.withdrawn
        if written.faults and target.row is not None:
            read = {one.pipeline for one in written.pipelines}
            left = [one for one in target.row.pipelines if one.name not in read]
            self.kept += [one.name for one in left if one.name not in written.withdrawn]

    def extend(self, other: Self) -> None:
        """Note all that another result says."""
        for name in self.__struct_fields__:
            getattr(self, name).extend(getattr(other, name))
