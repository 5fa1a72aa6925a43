"""Inputs, output and metrics of one Spark action."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from lineagegraph.spark.columns.column_lineage import Resolved
from lineagegraph.spark.dataset_names import DatasetName
from lineagegraph.spark.plan_json import PlanNode

Change = Literal["CREATE", "OVERWRITE", "TRUNCATE", "ALTER", "RENAME", "DROP"]
Partition = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A dataset as a plan names it; `table` is its name in the catalog and the warehouse's."""

    dataset: DatasetName
    schema: tuple[dict[str, Any], ...] = ()
    table: tuple[str, str] | None = None
    #: its columns behind those that a query of its database gives, with the subtype of each
    origins: Mapping[str, Mapping[str, str]] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Namespace and name, which identify the dataset."""
        return self.dataset.namespace, self.dataset.name

    def own_columns(self, column: str) -> Mapping[str, str]:
        """Return the columns behind a column of the relation, with the subtype of each."""
        if self.origins is None:
            return {column: "IDENTITY"}
        return self.origins.get(column.lower(), {})


@dataclass(frozen=True)
class WriteTarget:
    """The output of a command, with its partition columns and their types."""

    table: Table
    change: Change | None = None
    path: str | None = None
    partition_columns: tuple[tuple[str, str], ...] = ()
    #: the command has no metrics of its own, the tasks of its stages have
    counts_by_stage: bool = False
    #: the location of a Delta table, which has commits
    delta: str | None = None
    #: the table before it was renamed
    previous: Table | None = None


@dataclass(frozen=True)
class Statistics:
    """Counts that Spark measured; None is not measured."""

    rows: int | None = None
    bytes: int | None = None
    files: int | None = None

    def __add__(self, other: "Statistics") -> "Statistics":
        return Statistics(
            _sum(self.rows, other.rows),
            _sum(self.bytes, other.bytes),
            _sum(self.files, other.files),
        )


@dataclass(frozen=True)
class Description:
    """An execution's plan before it ran: relations are keyed by their first attribute's id."""

    plan: PlanNode  # analyzed
    resolved: Resolved  # its columns
    relations: dict[int, tuple[Table, ...]] = field(default_factory=dict)  # the inputs
    target: WriteTarget | None = None  # the first output
    sql: str | None = None  # the text of the statement
    #: the kinds of sources and commands that are not understood
    opaque: tuple[str, ...] = ()
    #: the executed plan tells no more about the inputs
    is_final: bool = True
    #: the same reads with further outputs
    also: tuple["Description", ...] = ()

    def with_outputs_of(self, others: Sequence["Description"]) -> "Description":
        """Return this description with what commands of the same statement read and write."""
        relations = self.relations
        for other in others:
            relations = relations | other.relations
        opaque = self.opaque + tuple(kind for other in others for kind in other.opaque)
        also = (*self.also, *(each for other in others if other.target for each in other.outputs))
        also = tuple(replace(each, relations=relations) for each in also)
        return replace(self, relations=relations, opaque=opaque, also=also)

    @property
    def outputs(self) -> tuple["Description", ...]:
        """This description and those of its further outputs, each with one output."""
        return replace(self, also=()), *self.also

    @property
    def targets(self) -> tuple[WriteTarget, ...]:
        """All outputs."""
        found = (self.target, *(each.target for each in self.also))
        return tuple(target for target in found if target)

    @property
    def uses_catalog(self) -> bool:
        """Whether this reads or writes a table of Spark's catalog by its name."""
        read = (table for tables in self.relations.values() for table in tables)
        written = (target.table for target in self.targets)
        return any(table.table for table in (*read, *written))

    @property
    def encloses(self) -> bool:
        """Whether executions that run inside of this are a part of it."""
        return self.target is not None or self.plan.is_delta_command

    @property
    def is_micro_batch(self) -> bool:
        """Whether this only wraps the batch of `foreachBatch`."""
        return self.target is None and self.plan.name.startswith("WriteToMicroBatch")


UNKNOWN = Description(PlanNode("Unknown", {"class": ""}, ()), Resolved(), opaque=("plan",))


@dataclass(frozen=True)
class Completeness:
    """How many sources and outputs there are, and the kinds of those that are not understood."""

    parts: int = 0
    opaque: tuple[str, ...] = ()

    def __add__(self, other: "Completeness") -> "Completeness":
        return Completeness(self.parts + other.parts, self.opaque + other.opaque)


@dataclass(frozen=True)
class Measured:
    """The metrics and files of an execution after it ran."""

    read: dict[tuple[str, str], Statistics] = field(default_factory=dict)
    written: Statistics | None = None
    partitions: tuple[Partition, ...] = ()
    #: the version that a table gave to what was written
    version: str | None = None


@dataclass(frozen=True)
class Action:
    """One action: its description and its measures."""

    description: Description
    measured: Measured = Measured()

    @property
    def inputs(self) -> dict[tuple[str, str], tuple[Table, ...]]:
        """The tables that are read, by dataset: several if several partitions are read."""
        found: dict[tuple[str, str], tuple[Table, ...]] = {}
        for tables in self.description.relations.values():
            for table in tables:
                if table not in found.get(table.key, ()):
                    found[table.key] = (*found.get(table.key, ()), table)
        return found

    @property
    def parts(self) -> int:
        """How many sources and outputs there are, with those that are not understood."""
        found = self.description
        return len(found.relations) + len(found.targets) + len(found.opaque)

    def unwritten(self) -> "Action":
        """Return the action without its output, which is uncertain after a failure."""
        return replace(self, measured=Measured(read=self.measured.read))

    def joined(self, inner: "Action") -> "Action":
        """Return this action joined with an inner execution for the same target."""
        ours, theirs = self.description, inner.description
        if theirs.target is None:  # how a source does its work: its log, its connections
            return self
        target = ours.target and _same_target(ours.target, theirs.target)
        description = replace(
            ours,
            relations={**theirs.relations, **ours.relations},
            resolved=ours.resolved if ours.resolved.columns else theirs.resolved,
            target=target,
            sql=ours.sql or theirs.sql,
            opaque=ours.opaque or theirs.opaque,
        )
        return Action(description, _joined(self.measured, inner.measured))


def _same_target(outer: WriteTarget, inner: WriteTarget | None) -> WriteTarget:
    if inner is None:
        return outer
    table = replace(
        inner.table,
        table=inner.table.table or outer.table.table,
        schema=inner.table.schema or outer.table.schema,
    )
    change, delta = outer.change or inner.change, outer.delta or inner.delta
    return replace(inner, table=table, change=change, delta=delta)


def _joined(outer: Measured, inner: Measured) -> Measured:
    return Measured(
        read={**outer.read, **inner.read},
        written=inner.written or outer.written,
        partitions=inner.partitions or outer.partitions,
        version=inner.version or outer.version,
    )


def _sum(left: int | None, right: int | None) -> int | None:
    return right if left is None else left if right is None else left + right
