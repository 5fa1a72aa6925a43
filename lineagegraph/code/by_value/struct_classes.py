"""Classes of msgspec structs by value: msgspec takes their fields when it makes the class."""

import types
from collections.abc import Iterator
from inspect import Parameter, signature
from typing import Any

import msgspec

_OPTIONS = (
    "frozen",
    "eq",
    "order",
    "array_like",
    "gc",
    "repr_omit_defaults",
    "omit_defaults",
    "forbid_unknown_fields",
    "weakref",
    "dict",
    "cache_hash",
)
_GIVEN = ("__annotations__", "__slots__", "__qualname__")
_POST_INIT = "__post_init__"


class _WithFactory(msgspec.Struct):
    made: list[int] = []


# msgspec has no public name for it.
_Factory: Any = type(_WithFactory.__struct_defaults__[0])


def reduce_struct(cls: Any, reduced: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the reduction of a struct's class, from that of cloudpickle, which loses its fields.

    As there, the members are set once the class is there: they may refer to it.
    """
    _, (metaclass, name, bases, *_), (members, slots), *rest = reduced
    own = {one: vars(cls)[one] for one in ("__module__", "__annotations__") if one in vars(cls)}
    defaults = dict(_defaults(cls))
    factories = {name: one.factory for name, one in defaults.items() if type(one) is _Factory}
    own |= {name: one for name, one in defaults.items() if name not in factories}
    own["__qualname__"] = cls.__qualname__
    made = (metaclass, name, bases, _options(cls), own, factories, _POST_INIT in vars(cls))
    later = {one: value for one, value in members.items() if one not in _GIVEN}
    return (make_struct, made, (later, slots), *rest)


def make_struct(
    metaclass: Any,
    name: str,
    bases: tuple[Any, ...],
    options: dict[str, Any],
    namespace: dict[str, Any],
    factories: dict[str, Any],
    has_post_init: bool,
) -> type:
    """Return a struct's class with its fields, without its other members."""
    own = namespace | {
        name: msgspec.field(default_factory=factory) for name, factory in factories.items()
    }
    if has_post_init:
        own[_POST_INIT] = _call_post_init
    return types.new_class(
        name, bases, {"metaclass": metaclass, **options}, lambda to: to.update(own)
    )


def _call_post_init(self: Any) -> None:
    # msgspec looks the method up when it makes the class, before the own one is set.
    type(self).__post_init__(self)


def _own_fields(cls: Any) -> list[str]:
    stated = vars(cls).get("__annotations__", {})
    return [name for name in cls.__struct_fields__ if name in stated]


def _defaults(cls: Any) -> Iterator[tuple[str, Any]]:
    fields, defaults = cls.__struct_fields__, cls.__struct_defaults__
    known = dict(zip(fields[len(fields) - len(defaults) :], defaults, strict=True))
    for name in _own_fields(cls):
        default = known.get(name, msgspec.NODEFAULT)
        if default is not msgspec.NODEFAULT:
            yield name, default


def _options(cls: Any) -> dict[str, Any]:
    config = cls.__struct_config__
    options = {name: getattr(config, name) for name in _OPTIONS}
    if config.tag is not None:
        options |= {"tag": config.tag, "tag_field": config.tag_field}
    own = _own_fields(cls)
    arguments = signature(cls).parameters
    names = dict(zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True))
    return options | {
        "kw_only": any(arguments[name].kind is Parameter.KEYWORD_ONLY for name in own),
        "rename": {name: names[name] for name in own if names[name] != name},
    }
