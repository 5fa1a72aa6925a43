"""Answers, settled together."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

import structlog

from lineagegraph.waits.poke import Poke

log = structlog.get_logger()
_GATHER_SECONDS = 0.2
_MOST = 1_000
Settle = Callable[[list[Poke]], Awaitable[None]]


class Settler:
    """Settle the answers of a moment together; answers that cannot be settled are returned."""

    def __init__(self, settle: Settle, give_back: Callable[[Poke], None]) -> None:
        self._settle = settle
        self._give_back = give_back
        self._waiting: list[Poke] = []
        self._some = asyncio.Event()

    def put(self, answer: Poke) -> None:
        """Settle an answer soon."""
        self._waiting.append(answer)
        self._some.set()

    async def run(self) -> NoReturn:
        """Settle, until cancelled."""
        while True:
            await self._some.wait()
            await asyncio.sleep(_GATHER_SECONDS)
            batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
            if not self._waiting:
                self._some.clear()
            await self._settle_all(batch)

    async def _settle_all(self, batch: list[Poke]) -> None:
        """Settle a batch; one that is refused is taken apart, so that one spoils no other."""
        try:
            await self._settle(batch)
        except Exception as error:
            log.warning("answers_not_settled", number=len(batch), error=str(error))
            if len(batch) == 1:
                self._give_back(batch[0])
                return
            middle = len(batch) // 2
            await self._settle_all(batch[:middle])
            await self._settle_all(batch[middle:])
