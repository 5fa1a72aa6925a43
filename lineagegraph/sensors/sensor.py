"""The base class of all kinds of sensors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self

import msgspec

if TYPE_CHECKING:
    from lineagegraph.sensors.answer import PokeAnswer
    from lineagegraph.sensors.context import PokeContext
    from lineagegraph.sensors.policy import SensorPolicy


class Sensor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing to poke. Its fields identify it: two sensors with equal fields are one.

    A kind has a name and implements `poke`, or `look` if that blocks: it is called in a thread.
    Both return true or false, and raise an error if they have no answer.
    """

    kind: ClassVar[str] = ""
    shared: ClassVar[bool] = True
    """False where each wait is to look for itself."""
    from_graph: ClassVar[bool] = False
    """The graph answers, in one query for all of the kind; it is never poked."""
    blocking: ClassVar[bool] = False
    """`look` answers."""
    code_only: ClassVar[bool] = False
    """It runs what its fields say, so that it may not come over HTTP."""
    at_once: ClassVar[int] = 32
    """How many of the kind a process looks at at the same time."""

    confined: bool = False  # whether a token stated it: it pokes only what the settings name

    async def poke(self, context: PokeContext) -> PokeAnswer:
        """Return whether it is there."""
        key = f"{self.kind} {_text(_fields(self))}"
        limit = context.limit(self.limit())
        found: PokeAnswer = await context.threads.call(key, self._look, context, limit=limit)
        return found

    def _look(self, context: PokeContext) -> PokeAnswer:
        self.permit(context.policy)
        return self.look(context)

    def look(self, context: PokeContext) -> PokeAnswer:
        """Return whether it is there; it may block."""
        raise NotImplementedError(f"sensors of kind {self.kind} have neither poke() nor look()")

    def placed(self, namespace: str) -> Self:
        """Return it with the namespace of the waiting run, if it needs one and has none."""
        return self

    def checked(self) -> Self:
        """Return it in its canonical spelling; raise `InvalidSensor` if it can never be poked."""
        return self

    def permit(self, policy: SensorPolicy) -> None:
        """Raise `InvalidSensor` if the installation does not permit it."""

    def begun(self, now: datetime) -> Self:
        """Return the sensor for a wait that begins now."""
        return self

    def host(self) -> str | None:
        """Return whom it asks: not too many ask the same at a time."""
        return None

    def limit(self) -> float | None:
        """Return the time limit of one poke in seconds; None for the setting."""
        return None

    @classmethod
    def stated(cls, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return fields as JSON values, from the forms that a person may write."""
        return fields

    def identity(self) -> dict[str, Any]:
        """Return the values that identify it within its kind."""
        return _fields(self)

    def cursor_source(self) -> dict[str, Any]:
        """Return what its cursor is of: a changed sensor of the same takes the cursor over."""
        return self.identity()

    def shown(self) -> dict[str, Any]:
        """Return its fields for people to read."""
        return _fields(self)

    def __str__(self) -> str:
        said = (f"{name}={_text(value)}" for name, value in self.shown().items())
        return " ".join([self.kind, *said])


def _fields(sensor: Sensor) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(sensor)
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
