"""Steps that are taken again and again."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import NoReturn

import structlog

from lineagegraph.errors import LineagegraphError

log = structlog.get_logger()


async def repeat(name: str, seconds: float, step: Callable[[], Awaitable[object]]) -> NoReturn:
    """Repeat a step at an interval from its start; log its errors."""
    while True:
        began = time.monotonic()
        await survive(name, step)
        await asyncio.sleep(max(0.0, seconds - (time.monotonic() - began)))


async def survive(name: str, step: Callable[[], Awaitable[object]]) -> None:
    """Take a step once and log its error."""
    try:
        await step()
    except LineagegraphError as error:
        log.warning("sensing_step_failed", step=name, error=str(error))
    except Exception:
        log.exception("sensing_step_failed", step=name)
