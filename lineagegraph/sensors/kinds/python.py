"""Functions of users."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import msgspec

from lineagegraph.errors import InvalidSensor, PokeFailed
from lineagegraph.sensors.answer import PokeAnswer
from lineagegraph.sensors.calls.by_value import checked_pickle, stated_function, this_python
from lineagegraph.sensors.calls.call import FunctionCall, call
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.sensor import Sensor

_BY_VALUE = ("pickle", "python")


class PythonSensor(Sensor, frozen=True, kw_only=True, omit_defaults=True):
    """A function returns True, called with the arguments in a process of its own.

    It is named as in `package.module:function`. The function itself may be given instead: one
    that no installed package has is kept by value, and known by its code.
    """

    kind: ClassVar[str] = "python"
    code_only: ClassVar[bool] = True
    at_once: ClassVar[int] = 16

    function: str
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)
    seconds: float | None = None
    code: str | None = None
    pickle: str | None = None
    python: str | None = None

    @classmethod
    def stated(cls, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a function as fields."""
        function = fields.get("function")
        return {**fields, **stated_function(function)} if callable(function) else fields

    def checked(self) -> Self:
        """Raise `InvalidSensor` for an invalid function name or time limit."""
        module, colon, name = self.function.partition(":")
        if self.pickle is None and not (colon and _is_dotted(module) and _is_dotted(name)):
            raise InvalidSensor(
                f"function {self.function!r}: write it as package.module:function, or pass the "
                "function itself"
            )
        if self.seconds is not None and self.seconds <= 0:
            raise InvalidSensor(f"function {self.function}: seconds must be more than 0")
        return self

    def limit(self) -> float | None:
        """Return how long the function may take."""
        return self.seconds

    def host(self) -> str:
        """Return the function: one that hangs leaves room for others."""
        return f"function {self.function}"

    def identity(self) -> dict[str, Any]:
        """Return its fields without the pickle, which is not the same each time."""
        return {name: one for name, one in super().identity().items() if name not in _BY_VALUE}

    def cursor_source(self) -> dict[str, Any]:
        """Return its fields without the code: an edited function goes on behind the same cursor."""
        return {"function": self.function, "arguments": self.arguments}

    def shown(self) -> dict[str, Any]:
        """Return the readable fields."""
        return {name: one for name, one in self.identity().items() if name != "code"}

    async def poke(self, context: PokeContext) -> PokeAnswer:
        """Call the function."""
        if self.python is not None and self.python != this_python():
            raise PokeFailed(
                f"{self.function} is kept by value for Python {self.python}, this is "
                f"{this_python()}: sync it with this one, or name it in an installed package"
            )
        pickle = self.pickle and checked_pickle(self.function, self.pickle, self.python)
        found = await call(
            FunctionCall(
                function=self.function,
                pickle=pickle,
                arguments=self.arguments,
                cursor=context.cursor,
                seconds=context.limit(self.seconds),
                memory_bytes=context.settings.sensor_memory_bytes,
            )
        )
        if found is None:
            raise PokeFailed(
                f"{self.function} returned None: it must return True, False, a dictionary or "
                "new_items()"
            )
        return found


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))
