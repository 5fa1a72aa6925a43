"""The program's own log lines, on standard error."""

import io
import logging
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict

from lineagegraph.secrets import mask, mask_text
from lineagegraph.text import visible


class _Lossy(io.TextIOBase):
    """A stream whose lines are left out while its disk is full, or its reader gone.

    A step that logs must not fail for its log.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def _print_to(stream: TextIO) -> structlog.PrintLoggerFactory:
    return structlog.PrintLoggerFactory(cast("TextIO", _Lossy(stream)))


def make_safe(logger: object, method: str, event: EventDict) -> EventDict:
    """Mask the secrets of a log line, and make its control characters visible."""
    return {
        name: mask_text(visible(value, keep="\n\t"))
        if name == "exception"
        else _safe(mask(value, name))
        for name, value in event.items()
    }


def _safe(value: object) -> object:
    if isinstance(value, str):
        return visible(value)
    return value if isinstance(value, int | float | None) else mask_text(visible(f"{value}"))


def configure_worker_logs() -> None:
    """Log lines of a worker to its output as structlog does, but safe ones."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False),
            structlog.processors.ExceptionRenderer(),
            make_safe,
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        # A descriptor of its own: the first two are those of tasks.
        logger_factory=_print_to(os.fdopen(os.dup(1), "w", 1, "utf-8", "backslashreplace")),
    )


def configure_logs(level: int = logging.WARNING) -> None:
    """Log from this level on, one line each, with plain tracebacks."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            structlog.processors.ExceptionRenderer(),
            make_safe,
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_print_to(sys.stderr),
    )
    # A tick that takes longer than a second makes the next one late: no news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    # While Neo4j is away the driver tells of every attempt; what fails at last is said by us.
    logging.getLogger("neo4j").setLevel(logging.CRITICAL)
