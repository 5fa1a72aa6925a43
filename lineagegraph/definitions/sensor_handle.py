"""A sensor as a task, as what a trigger watches, and as what a notebook waits for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lineagegraph.definitions.by_value.own import Own
from lineagegraph.definitions.canonical import captured
from lineagegraph.definitions.declared import project_root
from lineagegraph.definitions.handle import Handle
from lineagegraph.definitions.placeholders import check_placeholders
from lineagegraph.definitions.sensor_fields import texts_in
from lineagegraph.model.definition import SensorTask
from lineagegraph.model.wait_terms import WaitTerms


@dataclass(frozen=True, eq=False, kw_only=True)
class SensorHandle(Handle):
    """A kind of sensor with its poke fields, and the terms of whoever waits for it."""

    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    terms: WaitTerms = field(default_factory=WaitTerms)
    function: Callable[..., Any] | None = None

    def work(self, parameters: Sequence[str]) -> SensorTask:
        """Return what is waited for, its `{parameter}`s found to be ones."""
        check_placeholders(texts_in(self.fields), self.name, parameters, self.origin)
        own = Own(project_root(self.origin))
        return SensorTask(
            kind=self.kind,
            fields=dict(self.fields),
            captured=captured(self.function, own) if self.function else {},
            **{name: getattr(self.terms, name) for name in self.terms.__struct_fields__},
        )
