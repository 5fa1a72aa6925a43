"""Errors of the driver, whatever they are, become errors of lineagegraph."""

from collections.abc import Iterator

import pytest
from neo4j.exceptions import DriverError, Neo4jError

from lineagegraph.errors import GraphBusy, GraphError
from lineagegraph.graph.connection import _said_plainly


def kinds(error: type[Exception]) -> Iterator[type[Exception]]:
    """The class and all below it."""
    yield error
    for below in error.__subclasses__():
        yield from kinds(below)


@pytest.mark.parametrize("kind", [*kinds(DriverError)])
def test_an_error_of_the_driver_is_one_of_ours_in_one_line(kind: type[Exception]) -> None:
    with pytest.raises(GraphError) as found, _said_plainly("bolt://here", "neo4j"):
        raise kind.__new__(kind, "two\nlines")
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    "code",
    [
        "Neo.ClientError.Transaction.TransactionTimedOut",
        "Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration",
        "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
        "Neo.DatabaseError.General.UnknownError",
        "Neo.Odd.General.Unknown",
    ],
)
def test_an_error_that_may_pass_means_that_the_server_is_busy(code: str) -> None:
    error = Neo4jError._hydrate_neo4j(code=code, message="no luck")
    with pytest.raises(GraphBusy, match="no luck"), _said_plainly("bolt://here", "neo4j"):
        raise error


def test_who_lacks_memory_hears_so_and_not_the_codes_of_the_server() -> None:
    code = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
    error = Neo4jError._hydrate_neo4j(code=code, message="60 MiB reached")
    with pytest.raises(GraphBusy) as found, _said_plainly("bolt://here", "neo4j"):
        raise error
    assert str(found.value) == (
        "Neo4j at bolt://here has not enough memory: try again, ask for less, or raise "
        "`neo4j_heap` (60 MiB reached)"
    )


def fail_when_interrupted() -> None:
    """Do as the driver does whose answer is interrupted."""
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        raise BufferError("Existing exports of data") from None


def test_an_interrupt_that_breaks_the_driver_is_an_interrupt() -> None:
    with pytest.raises(KeyboardInterrupt), _said_plainly("bolt://here", "neo4j"):
        fail_when_interrupted()


def test_an_error_while_an_interrupt_is_handled_is_an_error() -> None:
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        with pytest.raises(GraphError), _said_plainly("bolt://here", "neo4j"):
            raise DriverError("away") from None
