"""The sources and outputs of plans that a client sends, as it names them."""

from dataclasses import dataclass, field
from typing import Any

from lineagegraph.spark.action import Change

Name = tuple[str, ...]
"""A table or view by its name, with its catalog and database as far as these are given."""
FILE_FORMATS = ("parquet", "orc", "csv", "json", "text", "xml", "avro", "binaryfile", "delta")


@dataclass(frozen=True)
class NamedTable:
    """A table or view."""

    name: Name


@dataclass(frozen=True)
class FilePaths:
    """Files and folders; `relation` is the message that reads them, if its schema may be asked."""

    paths: tuple[str, ...]
    relation: Any = field(default=None, compare=False)


@dataclass(frozen=True)
class Jdbc:
    """A table of a database, or a query in brackets."""

    url: str
    table: str


@dataclass(frozen=True)
class Unknown:
    """A source or output that is not understood."""

    kind: str


Part = NamedTable | FilePaths | Jdbc | Unknown


@dataclass(frozen=True)
class WrittenPart:
    """An output of a command; `query` is the relation with its rows."""

    part: Part
    change: Change | None = None
    query: Any = field(default=None, compare=False)
    #: the table before it was renamed
    previous: Name | None = None


@dataclass(frozen=True)
class TemporaryView:
    """A temporary view, with the sources behind it."""

    name: str
    sources: tuple[Part, ...]
    #: a frame's: views in it are what they are now, also if they are made again later
    is_fixed: bool = False


@dataclass(frozen=True)
class Effect:
    """The effect of a plan or a statement on data."""

    sources: tuple[Part, ...] = ()
    outputs: tuple[WrittenPart, ...] = ()
    sql: str | None = None
    #: Spark's name of the execution, for the name of the action
    execution: str = "command"
    #: a query that runs only once its rows are asked for
    is_lazy: bool = False
    view: TemporaryView | None = None
    dropped_view: str | None = None


NOTHING = Effect()


def is_temporary(name: Name) -> bool:
    """Return whether a name may be that of a temporary view."""
    return len(name) == 1 or (len(name) == 2 and name[0].lower() == "global_temp")


def named(name: Name) -> Part:
    """Return a table, or the files of ``parquet.`/data/trips` ``."""
    if len(name) == 2 and name[0].lower() in FILE_FORMATS and "/" in name[1]:
        return FilePaths(name[1:])
    return NamedTable(name)
