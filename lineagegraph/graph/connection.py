"""A connection to Neo4j with clear errors."""

import copy
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

import msgspec
from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    Driver,
    GraphDatabase,
    ManagedTransaction,
    Session,
    unit_of_work,
)
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    ConnectionAcquisitionTimeoutError,
    DatabaseError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)
from tenacity import Retrying, retry_if_exception, stop_after_attempt

from lineagegraph.errors import (
    CommitUnknown,
    GraphBusy,
    GraphClosed,
    GraphError,
    GraphFailed,
    GraphLoginRefused,
    GraphUnreachable,
    QueryRefused,
    WriteRefused,
)
from lineagegraph.graph.binding import Transaction, plain, sendable, sending
from lineagegraph.graph.commits import LastCommit, last_commit
from lineagegraph.graph.moving import Locate, ServerLocation
from lineagegraph.graph.outlast import outlast
from lineagegraph.graph.plans import PlanKeeper, PlanNoter
from lineagegraph.graph.read_only import check_reads
from lineagegraph.graph.receipts import Receipt, claim_entry
from lineagegraph.graph.shelter import Shelter
from lineagegraph.graph.trust import distrust_of, trusting

P = ParamSpec("P")
T = TypeVar("T")

_TRANSIENT_SECONDS = 30.0
_OUTLAST_SECONDS = 5.0
# A transaction whose COMMIT never arrived can stay open on the server, and keep its locks.
_RECEIPT_SECONDS = 5.0
# Before an interrupt is told: whether a write is committed is known then, as a rule.
_INTERRUPTED_SECONDS = 5.0
# What Neo4j says from the moment on in which it could not write its log, whatever is asked of it.
_FAILED = ("Transaction.TransactionLogError", "Transaction.TransactionStartFailed")
# Of all transactions, of one, and of the heap.
_NO_MEMORY = ("OutOfMemoryError", "OutOfMemory")


def _is_torn(error: BaseException) -> bool:
    """Return whether a transaction met a node that was deleted at that moment.

    A `KeyError` is one that an earlier statement found, and a later one did not. A `MERGE` that
    waits for the deletion returns the deleted node, of which all properties are null.
    """
    is_gone = isinstance(error, ClientError) and (error.code or "").endswith("EntityNotFound")
    return is_gone or isinstance(error, (msgspec.ValidationError, KeyError))


def _is_repeatable(error: BaseException) -> bool:
    """Return whether to repeat a read, as also if it is unknown whether it was committed."""
    return _is_torn(error) or isinstance(error, IncompleteCommit)


_FOUR = stop_after_attempt(4)
_WHOLE = Retrying(retry=retry_if_exception(_is_torn), stop=_FOUR, reraise=True)
_WHOLE_READ = Retrying(retry=retry_if_exception(_is_repeatable), stop=_FOUR, reraise=True)


class _Undone(Exception):
    """Ends a transaction without a trace."""


class Graph:
    """A Neo4j database; safe to share between threads."""

    def __init__(
        self,
        uri: str,
        user: str,
        password: str,
        database: str | None = None,
        ca: Path | None = None,
        locate: Locate | None = None,
    ) -> None:
        """Connect; `ca` is a file of authorities that are trusted instead of the system's.

        `locate` finds a server that can move, wherever it was at first.
        """
        self._location = ServerLocation(uri, locate)
        self.user = user
        self._database = database
        with _said_plainly(uri, user):
            address, trust = trusting(uri, ca)
            self._driver: Driver = GraphDatabase.driver(
                address,
                auth=(user, password),
                connection_timeout=5.0,
                connection_acquisition_timeout=15.0,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                **self._location.options(),
                **trust,
            )
            self._driver.verify_connectivity()
        self._patience = _TRANSIENT_SECONDS
        self._outlasts = False
        #: statements that were rehearsed, if their plans are kept
        self._planned: set[str] | None = None

    @property
    def uri(self) -> str:
        """Where the server is."""
        return self._location.uri

    def with_patience(self, seconds: float) -> Self:
        """Return this connection with another limit on how long a transaction is tried again."""
        other = copy.copy(self)
        other._patience = seconds
        return other

    def outlasting(self) -> Self:
        """Return this connection, with reads and writes that wait while the server is away."""
        other = self.with_patience(_OUTLAST_SECONDS)
        other._outlasts = True
        return other

    def keeping_plans(self) -> Self:
        """Return this connection, with writes by the plans of its own rehearsals."""
        other = copy.copy(self)
        other._planned = set()
        return other

    def read(
        self, work: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work` in a transaction that the server refuses to let write.

        It is run again if a node that it reads is deleted meanwhile: each statement sees commits of
        others, so a node that was found can be gone.
        """
        shelter = Shelter()

        def run(managed: ManagedTransaction) -> T:
            shelter.check()
            return work(cast("Transaction", managed), *args, **kwargs)

        def attempt() -> T:
            shelter.check()
            with self._session(default_access_mode=READ_ACCESS) as session:
                return _WHOLE_READ(lambda: session.execute_read(run))

        return shelter.call(lambda: self._outlast(attempt))

    def read_until(self, work: Callable[[Transaction], T]) -> tuple[T, LastCommit | None]:
        """Return the result of one statement, and the last commit after it; it is tried once.

        None if this is not a single server, whose reads all see the same commits.
        """
        with self._session(default_access_mode=READ_ACCESS) as session:
            found = work(cast("Transaction", session))
            is_single = self.uri.startswith("bolt")
            return found, last_commit(session.last_bookmarks()) if is_single else None

    def write(
        self, work: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work` in one transaction; repeat it after temporary errors of the server.

        So it is if a node is deleted between its statements.
        If the answer to the commit is lost, its audit entry shows whether it was committed. Raises
        `CommitUnknown` if it has none, or nobody answers. An interrupt undoes what is not yet about
        to be committed.
        """
        receipt = Receipt[T]()
        shelter = Shelter()

        def run(managed: ManagedTransaction) -> T:
            shelter.check()
            tx = cast("Transaction", managed)
            keeper = tx if self._planned is None else PlanKeeper(tx, self._planned)
            result = receipt.keep(lambda: work(keeper, *args, **kwargs))
            shelter.check()
            return result

        def attempt() -> T:
            shelter.check()
            try:
                with self._session() as session:
                    return _WHOLE(lambda: session.execute_write(run))
            except CommitUnknown:
                if receipt.entry is None or not self._has_entry(receipt.entry):
                    raise
                return receipt.result

        return shelter.call(lambda: self._outlast(attempt), _INTERRUPTED_SECONDS)

    def _outlast(self, attempt: Callable[[], T]) -> T:
        return outlast(attempt, _TRANSIENT_SECONDS) if self._outlasts else attempt()

    def _has_entry(self, entry: str) -> bool:
        @unit_of_work(timeout=_RECEIPT_SECONDS)
        def claim(managed: ManagedTransaction) -> bool:
            return claim_entry(cast("Transaction", managed), entry=entry)

        def attempt() -> bool:
            with self._session() as session:
                return session.execute_write(claim)

        try:
            return self._outlast(attempt)
        except GraphError:
            return False

    def rehearse(self, work: Callable[[Transaction], object]) -> None:
        """Run `work` in a transaction that is undone: Neo4j has planned its statements then."""

        def undone(tx: Transaction) -> None:
            work(tx if self._planned is None else PlanNoter(tx, self._planned))
            raise _Undone

        with suppress(_Undone):
            self.write(undone)

    def query(
        self, text: str, parameters: dict[str, Any] | None = None, *, write: bool = False
    ) -> list[dict[str, Any]]:
        """Run a statement of the user's and return its rows.

        It is not repeated if it takes all the memory of Neo4j, or ends it.
        """

        with sending():
            given = sendable(parameters or {})

        def work(tx: Transaction) -> list[dict[str, Any]]:
            with sending():
                if not write:
                    check_reads(tx, text, given)
                with self._not_repeated():
                    records = tx.run(text, given)
            with self._not_repeated():
                return [plain(record.data()) for record in records]

        return self.write(work) if write else self.read(work)

    @contextmanager
    def _not_repeated(self) -> Iterator[None]:
        """Let a statement fail at once that would take the memory of all others again and again."""
        try:
            yield
        except (ServiceUnavailable, SessionExpired) as error:
            raise GraphUnreachable(
                f"Neo4j at {self.uri} went away during the query, which may need more memory than "
                "there is: ask for less, or raise `neo4j_heap`"
            ) from error
        except Neo4jError as error:
            if _lacks_memory(error):
                raise _failure(self.uri, error) from error
            raise

    def ping(self) -> None:
        """Raise `GraphUnreachable` unless Neo4j answers now: nothing is tried a second time."""
        with self.autocommit() as session:
            session.run("RETURN 1").consume()

    @contextmanager
    def autocommit(
        self, *, read_only: bool = False, notifies: bool = False
    ) -> Iterator[Transaction]:
        """Give a session whose statements commit one by one, as schema changes must.

        If it `notifies`, Neo4j's warnings are in the summaries of results.
        """
        access = READ_ACCESS if read_only else WRITE_ACCESS
        severity = "WARNING" if notifies else "OFF"
        with self._session(
            default_access_mode=access, notifications_min_severity=severity
        ) as session:
            yield cast("Transaction", session)

    def close(self) -> None:
        """Close every connection: at once, or with the thread that is just sending on one."""
        # The driver cannot say goodbye within a message, but has forgotten all connections by then.
        with suppress(BufferError, AssertionError):
            self._driver.close()
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @contextmanager
    def _session(self, **config: Any) -> Iterator[Session]:
        patience = self._patience
        with (
            _said_plainly(self.uri, self.user),
            self._driver.session(
                database=self._database, max_transaction_retry_time=patience, **config
            ) as session,
        ):
            yield session


def answers(uri: str, user: str, password: str, ca: Path | None = None) -> bool:
    """Return whether a Neo4j at `uri` accepts the login and answers a query."""
    try:
        with Graph(uri, user, password, ca=ca) as graph:
            return graph.query("RETURN 1 AS one") == [{"one": 1}]
    except GraphUnreachable:
        return False


@contextmanager
def _said_plainly(uri: str, user: str) -> Iterator[None]:
    try:
        with _interrupts_told():
            yield
    except AuthError as error:
        raise GraphLoginRefused(
            f"Neo4j at {uri} refuses user {user!r}: check LINEAGEGRAPH_NEO4J_USER and "
            "LINEAGEGRAPH_NEO4J_PASSWORD"
        ) from error
    except IncompleteCommit as error:
        raise CommitUnknown(
            f"the connection to Neo4j at {uri} ended during a commit: the change may have been "
            "made, so look before you repeat it"
        ) from error
    except (ServiceUnavailable, SessionExpired) as error:
        raise _unreachable(uri, error) from error
    except ClientError as error:
        raise _refusal(error) from error
    except (Neo4jError, ConnectionAcquisitionTimeoutError) as error:
        raise _failure(uri, error) from error
    except ValueError as error:
        if "scheme" in str(error):
            raise GraphUnreachable(f"{uri!r} is not a Neo4j address: {error}") from error
        raise
    except DriverError as error:
        raise _unusable(uri, error) from error


@contextmanager
def _interrupts_told() -> Iterator[None]:
    """Raise an interrupt as one, also if the driver fails while it is thrown through it."""
    outer = sys.exception()
    try:
        yield
    except Exception as error:
        before = error.__context__
        while before is not None and before is not outer:
            if isinstance(before, KeyboardInterrupt):
                raise KeyboardInterrupt from error
            before = before.__context__
        raise


def _failure(uri: str, error: Neo4jError | DriverError) -> GraphError:
    message = _message(error)
    if _lacks_memory(error):
        return GraphBusy(
            f"Neo4j at {uri} has not enough memory: try again, ask for less, or raise `neo4j_heap` "
            f"({message})"
        )
    if isinstance(error, DatabaseError) and (error.code or "").endswith(_FAILED):
        return GraphFailed(
            f"the database at {uri} has failed: free some space on its disk, then start Neo4j again"
        )
    if "too large to index" in message:
        return QueryRefused("Neo4j refuses a text of more than 8 kB that it indexes")
    # Also codes of a kind that this driver does not know yet.
    return GraphBusy(f"Neo4j at {uri} is busy: {message}")


def _lacks_memory(error: Neo4jError | DriverError) -> bool:
    return isinstance(error, Neo4jError) and (error.code or "").endswith(_NO_MEMORY)


def _message(error: Neo4jError | DriverError) -> str:
    said = error.message if isinstance(error, Neo4jError) else None
    return " ".join((said or str(error)).split())


def _refusal(error: ClientError) -> GraphError:
    code, message = error.code or "", _message(error)
    if ".Transaction." in code:  # it took too long, or was ended by somebody
        return GraphBusy(f"Neo4j ended the transaction: {message}")
    if code.endswith("Statement.AccessMode"):
        return WriteRefused(f"Neo4j refuses the query: {message}")
    return QueryRefused(f"Neo4j refuses the query: {message}")


def _unusable(uri: str, error: DriverError) -> GraphError:
    message = " ".join(str(error).split())
    if isinstance(error, ConfigurationError):
        return GraphUnreachable(f"{uri!r} is not a Neo4j address: {message}")
    if "closed" in message:
        return GraphClosed(f"the connection to {uri} is closed: connect again")
    return GraphError(f"Neo4j at {uri}: {message}")


def _unreachable(uri: str, error: Exception) -> GraphUnreachable:
    if reason := distrust_of(error):
        return GraphUnreachable(
            f"the certificate of Neo4j at {uri} is not trusted ({reason}): set "
            "LINEAGEGRAPH_NEO4J_CA to a file of the authority that signed it"
        )
    return GraphUnreachable(f"no Neo4j answers at {uri}: start it, or check LINEAGEGRAPH_NEO4J_URI")
