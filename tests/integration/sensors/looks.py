"""Looks at what is really there, as a sensor process takes them."""

import asyncio
from pathlib import Path
from typing import Any

from lineagegraph.sensors import Sensor, make_sensor, open_context, poke_sensor
from lineagegraph.settings import Settings


def look(kind: str, *, settings: dict[str, Any] | None = None, **fields: Any) -> bool:
    """Return what one look at a sensor of a kind tells."""
    return look_at(make_sensor(kind, fields), **(settings or {}))


def look_at(sensor: Sensor, **settings: Any) -> bool:
    """Return what one look tells, with those settings."""

    async def once() -> bool:
        async with open_context(Settings(**settings)) as context:
            return await poke_sensor(sensor, context)

    return asyncio.run(once())


def empty(path: Path) -> Path:
    """Make a file with nothing in it, and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path
