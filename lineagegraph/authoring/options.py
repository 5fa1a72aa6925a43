"""Options that several functions of a definition file share, stated once as a `TypedDict`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter
from typing import Any, ParamSpec, TypeVar

from lineagegraph.model.names.nearest import did_you_mean

P = ParamSpec("P")
R = TypeVar("R")


def with_options(
    options: type, defaults: Mapping[str, Any]
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Show the options of a `TypedDict` in the signature of a function that takes `**options`.

    `help()` and completion read them there. Any other keyword raises `TypeError`.
    """
    # Annotations stay short, as they are written: `After` and not the union that it stands for.
    shown = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=defaults[name],
            annotation=getattr(annotation, "__forward_arg__", annotation),
        )
        for name, annotation in options.__annotations__.items()
    ]

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        own = [
            one for one in signature.parameters.values() if one.kind is not Parameter.VAR_KEYWORD
        ]
        names = [one.name for one in (*own, *shown) if one.kind is Parameter.KEYWORD_ONLY]
        accepted = {one.name for one in (*own, *shown) if one.kind is not Parameter.POSITIONAL_ONLY}

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for name in kwargs:
                if name not in accepted:
                    raise TypeError(
                        f"{function.__name__}() got an unexpected keyword argument {name!r}"
                        f"{did_you_mean(name, names)}"
                    )
            return function(*args, **kwargs)

        checked.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*own, *shown]
        )
        return checked

    return decorate
