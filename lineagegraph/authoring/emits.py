"""What a task says that it emits."""

from __future__ import annotations

from collections.abc import Mapping

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError
from lineagegraph.model.pipelines.definition import Emit
from lineagegraph.model.pipelines.emits import EMIT_TYPES

Emits = Mapping[str, type] | None


def declare_emits(emits: Emits, task: str, origin: Origin) -> tuple[Emit, ...] | None:
    """Return what `emits={name: type}` declares, by name; None where nothing is said about it."""
    if emits is None:
        return None
    if not isinstance(emits, Mapping):
        raise DefinitionError(f"{origin}: task {task}: emits={emits!r} must be {{name: type}}")
    found = [_declare(name, type_, task, origin) for name, type_ in emits.items()]
    return tuple(sorted(found, key=lambda emit: emit.name))


def _declare(name: object, type_: object, task: str, origin: Origin) -> Emit:
    where = f"{origin}: task {task}: emits {name!r}"
    if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
        raise DefinitionError(f"{where}: use a Python name without a leading _")
    if not isinstance(type_, type) or EMIT_TYPES.get(type_.__name__) is not type_:
        raise DefinitionError(f"{where}: {type_!r} must be one of {', '.join(EMIT_TYPES)}")
    return Emit(name=name, type=type_.__name__)
