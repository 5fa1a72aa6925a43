"""Connections whose requests arrive in time: uvicorn has no limit for a request that has begun."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# An endpoint that waits for the body answers before its connection is closed.
_LATER_SECONDS = 1.0


class TimelyConnection(HttpToolsProtocol):
    """uvicorn's protocol, which closes a connection whose request takes too long to arrive.

    It counts from the opening of a connection, and from the first byte of a request to the last.
    Of uvicorn 0.54 it uses the callbacks of the parser, `cycle`, `loop` and `transport`.
    """

    seconds = 30.0
    _arrival: asyncio.TimerHandle | None = None
    _is_arriving = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # Bytes that begin no request count too: they end uvicorn's wait of an idle connection.
        is_idle = self.cycle is None or self.cycle.response_complete
        if not (self._is_arriving or is_idle):
            self._stop_waiting()
        elif self._arrival is None and not self.transport.is_closing():
            self._await_request()

    def on_message_begin(self) -> None:
        self._is_arriving = True
        self._stop_waiting()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._is_arriving = False
        super().on_message_complete()

    def _await_request(self) -> None:
        self._arrival = self.loop.call_later(self.seconds + _LATER_SECONDS, self._close)

    def _stop_waiting(self) -> None:
        if self._arrival is not None:
            self._arrival.cancel()
            self._arrival = None

    def _close(self) -> None:
        self._arrival = None
        if self.cycle and not self.cycle.response_complete and self.cycle.body:
            # It is the server that has not read yet.
            self._await_request()
        elif not self.transport.is_closing():
            self.transport.close()


def timely_connection(seconds: float) -> type[TimelyConnection]:
    """Return the protocol with a limit of some seconds."""
    return type("TimelyConnection", (TimelyConnection,), {"seconds": seconds})
