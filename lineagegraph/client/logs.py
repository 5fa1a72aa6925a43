"""The program's own log lines, on standard error."""

import logging
import sys

import structlog


def configure_logs(level: int = logging.WARNING) -> None:
    """Log from this level on, one line each, with plain tracebacks."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # A tick that takes longer than a second makes the next one late: no news.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    # While Neo4j is away the driver tells of every attempt; what fails at last is said by us.
    logging.getLogger("neo4j").setLevel(logging.CRITICAL)
