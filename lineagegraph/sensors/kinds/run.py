"""Runs that the graph knows, and the states that they come to."""

from typing import ClassVar, Self
from uuid import UUID

from msgspec.structs import replace

from lineagegraph.errors import InvalidSensor
from lineagegraph.model.runs.states import FINAL, SUCCEEDED, RunState
from lineagegraph.sensors.sensor import Sensor
from lineagegraph.sensors.since import Since, since_when


class RunSensor(Sensor, frozen=True, kw_only=True, omit_defaults=True):
    """A run of a job, or the run of an id, came to one of the states.

    With a partition it is a run of that partition. It ended after the start of the wait, or at any
    time if `since` is `any`, the default for a run by its id or partition.
    """

    kind: ClassVar[str] = "run"
    from_graph: ClassVar[bool] = True

    job: str | None = None
    namespace: str | None = None
    run_id: str | None = None
    statuses: tuple[RunState, ...] = tuple(sorted(SUCCEEDED))
    partition: dict[str, str] | None = None
    since: Since | None = None

    def placed(self, namespace: str) -> Self:
        """Return it with the namespace of its job."""
        return self if self.namespace or self.run_id else replace(self, namespace=namespace)

    def checked(self) -> Self:
        """Return it in its one spelling."""
        if (self.job is None) == (self.run_id is None) or self.job == "":
            raise InvalidSensor("a sensor of kind run needs either a job or a run_id")
        statuses = tuple(sorted(set(self.statuses)))
        if not statuses or not FINAL.issuperset(statuses):
            raise InvalidSensor(
                f"statuses of a sensor of kind run must be among {', '.join(sorted(FINAL))}"
            )
        if self.run_id is not None:
            return replace(self, statuses=statuses, run_id=_uuid(self.run_id), since="any")
        return replace(self, statuses=statuses, since=since_when(self.since, self.partition))

    def __str__(self) -> str:
        subject = self.run_id or f"of {self.namespace} {self.job}"
        parts = [f"{name}={value}" for name, value in (self.partition or {}).items()]
        return " ".join(["run", subject, *parts, "|".join(self.statuses)])


def _uuid(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise InvalidSensor(f"run_id {text!r} is not a UUID") from None
