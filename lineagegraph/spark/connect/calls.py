"""The requests of Spark Connect clients of this process, followed for the task that makes them."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from functools import cache, partial, wraps
from importlib import import_module
from typing import Any, Protocol

from wrapt import register_post_import_hook

from lineagegraph.model.holding import holding

# The logger of errors that the client raises.
_ERRORS = "SQLQueryContextLogger"
_CLIENT = "pyspark.sql.connect.client.core"


class RequestFollower(Protocol):
    """Follows requests."""

    def follow(self, client: Any, request: Any, run: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """Yield the answers of a request, which `run` sends."""


_current: ContextVar[RequestFollower | None] = ContextVar("lineagegraph_connect", default=None)


_asking: ContextVar[bool] = ContextVar("lineagegraph_connect_asking", default=False)


def asking() -> AbstractContextManager[None]:
    """Ask a server in this context: a refusal is an answer, which nobody logs or follows."""
    return holding(_asking, True)


def following(follower: RequestFollower) -> AbstractContextManager[None]:
    """Have the requests of this thread, and of contexts copied from it, followed."""
    _follow_client()
    return holding(_current, follower)


@cache
def _follow_client() -> None:
    # The client needs packages that may be missing: it is followed once somebody imports it.
    register_post_import_hook(_follow, _CLIENT)


def _follow(module: Any) -> None:
    # All that a client executes goes through this method, in Spark 3.5 to 4.3; no public one does.
    original = module.SparkConnectClient._execute_and_fetch_as_iterator

    @wraps(original)
    def execute(client: Any, request: Any, *args: Any, **options: Any) -> Iterator[Any]:
        follower = None if _asking.get() else _current.get()
        run = partial(original, client, request, *args, **options)
        return follower.follow(client, request, run) if follower else run()

    module.SparkConnectClient._execute_and_fetch_as_iterator = execute
    _silence_while_asking()


def _silence_while_asking() -> None:
    found = [logging.getLogger("sqlglot")]
    with suppress(ImportError):  # Spark 3.5 logs no errors
        # A plain logger of this name would break pyspark's own.
        found.append(import_module("pyspark.logger").PySparkLogger.getLogger(_ERRORS))
    for logger in found:
        logger.addFilter(lambda _: not _asking.get())
