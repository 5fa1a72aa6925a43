"""Versions and partitions of datasets that the graph knows."""

from typing import ClassVar, Self

from msgspec.structs import replace

from lineagegraph.errors import InvalidSensor
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.sensors.since import Since, since_when


class DatasetSensor(Sensor, frozen=True, kw_only=True, omit_defaults=True):
    """A version of a dataset was written, of the given partition if there is one.

    With `since` = `begin` only versions after the start of the wait count, with `any` all versions.
    The default is `any` for a partition, and otherwise `begin`.
    """

    kind: ClassVar[str] = "dataset"
    from_graph: ClassVar[bool] = True

    namespace: str
    name: str
    partition: dict[str, str] | None = None
    since: Since | None = None

    def checked(self) -> Self:
        """Return the sensor with its defaults."""
        if not self.namespace or not self.name:
            raise InvalidSensor("a sensor of kind dataset needs a namespace and a name")
        return replace(self, since=since_when(self.since, self.partition))

    def __str__(self) -> str:
        said = ", ".join(f"{key}={value}" for key, value in (self.partition or {}).items())
        return f"dataset {self.namespace} {self.name}" + (f" ({said})" if said else "")
