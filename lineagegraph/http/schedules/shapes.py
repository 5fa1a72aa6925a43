"""Triggers and constraints as CDAP writes them."""

from typing import Annotated, Any

import msgspec

# The version of what is deployed now.
CURRENT = "-SNAPSHOT"
_Positive = Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class TimeShape(msgspec.Struct, rename="camel", omit_defaults=True, tag="TIME"):
    """A cron expression; its zone is not CDAP's, and the installation's by default."""

    cron_expression: str
    time_zone: str | None = None


class DatasetShape(msgspec.Struct):
    """The name of a dataset."""

    namespace: str
    dataset: str


class PartitionShape(msgspec.Struct, rename="camel", tag="PARTITION"):
    """So many new partitions of a dataset."""

    dataset: DatasetShape
    num_partitions: _Positive


class ProgramShape(msgspec.Struct, rename="camel", kw_only=True):
    """A program: with the names that CDAP shipped, or with those of its design."""

    namespace: str | None = None
    application: str | None = None
    version: str | None = None
    type: str | None = None
    name: str | None = msgspec.field(default=None, name="program")
    entity: str = "PROGRAM"


class DesignedProgramShape(msgspec.Struct, rename="camel", kw_only=True):
    """A program in the words of CDAP's design."""

    namespace: str | None = None
    application: str | None = None
    version: str | None = msgspec.field(default=None, name="applicationVersion")
    type: str | None = msgspec.field(default=None, name="programType")
    name: str | None = msgspec.field(default=None, name="programName")


class StatusShape(msgspec.Struct, rename="camel", omit_defaults=True, tag="PROGRAM_STATUS"):
    """A program's run reached one of the statuses: as CDAP shipped it, or as it designed it."""

    program_id: ProgramShape | None = None
    program_statuses: tuple[str, ...] = ()
    program: DesignedProgramShape | None = None
    statuses: tuple[str, ...] = ()


class AndShape(msgspec.Struct, tag="AND"):
    """All of the triggers."""

    triggers: list[Any]


class OrShape(msgspec.Struct, tag="OR"):
    """Any of the triggers."""

    triggers: list[Any]


class ConcurrencyShape(msgspec.Struct, rename="camel", tag="CONCURRENCY"):
    """At most so many runs at once."""

    max_concurrency: _Positive
    wait_until_met: bool = False


class DelayShape(msgspec.Struct, rename="camel", tag="DELAY"):
    """The run starts later; that it waits goes without saying."""

    millis_after_trigger: _Positive
    wait_until_met: bool = True


class LastRunShape(msgspec.Struct, rename="camel", tag="LAST_RUN"):
    """The last run began long enough ago."""

    millis_since_last_run: _Positive
    wait_until_met: bool = False


class TimeRangeShape(msgspec.Struct, rename="camel", kw_only=True, tag="TIME_RANGE"):
    """The time of day is within a range of `HH:mm` to `HH:mm`."""

    start_time: Annotated[str, msgspec.Meta(pattern="^[0-9]{1,2}:[0-9]{2}$")]
    end_time: Annotated[str, msgspec.Meta(pattern="^[0-9]{1,2}:[0-9]{2}$")]
    time_zone: str | None = None
    wait_until_met: bool = False


def _by_type(*shapes: type[msgspec.Struct]) -> dict[str, type[msgspec.Struct]]:
    return {str(shape.__struct_config__.tag): shape for shape in shapes}


TRIGGERS = _by_type(TimeShape, PartitionShape, StatusShape, AndShape, OrShape)
CONSTRAINTS = _by_type(ConcurrencyShape, DelayShape, LastRunShape, TimeRangeShape)
