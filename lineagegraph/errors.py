"""Everything that lineagegraph raises on purpose.

LineagegraphError
├── SettingsError                  an invalid setting
├── ServerError                    the managed Neo4j
│   ├── JavaMissing
│   ├── DownloadFailed
│   └── ServerNotStarted
├── GraphError                     the connection to any Neo4j
│   ├── GraphUnreachable
│   │   ├── GraphFailed
│   │   └── CommitUnknown          a change that may have been made
│   ├── GraphClosed
│   ├── GraphLoginRefused
│   ├── GraphBusy
│   ├── QueryRefused
│   │   └── WriteRefused
│   ├── QueryInterrupted
│   └── SchemaMismatch
├── InvalidEvent                   an invalid OpenLineage event, with the JSON path of the error
├── DefinitionError                an invalid pipeline definition, with file and line if known
│   ├── DefinitionCycle
│   ├── UnsignedCode               pickled code that this installation did not sign
│   └── InvalidParameter
├── InvalidRule                    an invalid trigger
│   └── TriggerCycle
├── SourceFailed                   an import, or the server that it reads
├── AlreadyRunning                 a sweep or import that another process does now
├── InvalidName                    an invalid name
├── NameTaken                      a name that is in use
├── ChangedMeanwhile               something that another person changed since it was read
├── InvalidVariable                an invalid name or value of a variable
├── InvalidPool                    an invalid name or size of a pool
├── PoolInUse                      a pool whose slots tasks hold or wait for
├── InvalidFreshness               invalid freshness terms
├── InvalidSkip                    an invalid entry of the skip list
├── InvalidMute                    a mute without a reason, or with an end in the past
├── InvalidPause                   a pause without a reason, or with an end in the past
├── InvalidSensor                  an invalid or forbidden sensor
├── InvalidConnection              an invalid connection
├── PokeFailed                     a poke without an answer
│   └── PokeOverdue                a poke that exceeded its time limit
├── NotDelivered                   a notification or event that was not delivered
│   └── EventRefused               an event that the target rejects for good
├── NotFound                       something that is not in the graph, such as a job or a run
│   ├── Ambiguous                  a name or prefix with several matches
│   ├── VariableNotSet             a variable without a value and without a default
│   ├── ConnectionNotSet           a connection that is not set
│   ├── ArchiveMissing             archived code that was deleted or is damaged
│   └── Forgotten                  state changes that were deleted or do not exist yet
├── BackfillRefused                an invalid backfill
│   └── BackfillConflict           a backfill that exists already or has another state
└── RunError                       a run that could not be started or finished
    ├── RunFailed                  a run that failed while the caller waited for it
    ├── RunKilled
    ├── WaitFailed                 a wait that failed or timed out
    ├── TableRefused               a table that cannot be published
    ├── ValueRefused               a value between tasks that cannot be kept or read
    ├── RunRefused                 a run that is not possible as requested
    ├── PipelineWithdrawn          a pipeline that no file defines any more
    ├── MarkRefused                a run that cannot be marked by hand
    ├── KeyReused                  an idempotency key of another request
    ├── RerunAsks                  a rerun that needs a policy from the caller
    └── RerunRefused               a rerun that is not possible as requested

The message is one line: what is wrong, where, and what to do.
"""


class LineagegraphError(Exception):
    """Base class of all lineagegraph exceptions."""


class SettingsError(LineagegraphError):
    """A setting is invalid."""


class ServerError(LineagegraphError):
    """The managed Neo4j server failed."""


class JavaMissing(ServerError):
    """Java 17 or later was not found and could not be downloaded."""


class DownloadFailed(ServerError):
    """An artifact could not be downloaded, or its hash differs from the lock."""


class ServerNotStarted(ServerError):
    """The managed server ended or was not ready in time."""


class GraphError(LineagegraphError):
    """The graph cannot be used."""


class GraphUnreachable(GraphError):
    """Neo4j does not answer at its address."""


class GraphFailed(GraphUnreachable):
    """Neo4j answers, but its database does not work until it is restarted."""


class CommitUnknown(GraphUnreachable):
    """The connection ended during a commit: the change may have been made."""


class GraphClosed(GraphError):
    """The connection is closed."""


class GraphLoginRefused(GraphError):
    """Neo4j refuses the user name or the password."""


class GraphBusy(GraphError):
    """Neo4j is busy and cannot execute the statement now; try again later."""


class QueryRefused(GraphError):
    """Neo4j refuses a statement: invalid Cypher, or a write in a read-only query."""


class WriteRefused(QueryRefused):
    """A read-only statement tries to write."""


class QueryInterrupted(GraphError):
    """A query was cancelled."""


class SchemaMismatch(GraphError):
    """The graph's migrations differ from this program's."""


class InvalidEvent(LineagegraphError):
    """An OpenLineage event is invalid; `path` is the JSON path of the error."""

    def __init__(self, message: str, path: str = "$") -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class DefinitionError(LineagegraphError):
    """A pipeline definition is invalid."""


class UnsignedCode(DefinitionError):
    """Pickled code has no signature of this installation's key."""


class DefinitionCycle(DefinitionError):
    """Tasks wait for each other; the message has the path."""


class InvalidParameter(DefinitionError):
    """A parameter is missing, unknown or of the wrong type."""


class InvalidRule(LineagegraphError):
    """A trigger or a part of it is invalid."""


class TriggerCycle(InvalidRule):
    """Triggers start each other in a cycle; the message has the path."""


class SourceFailed(LineagegraphError):
    """Importing from another server, or undoing an import, failed."""


class AlreadyRunning(LineagegraphError):
    """Another process does the same work now, such as a sweep."""


class InvalidName(LineagegraphError):
    """A name is invalid."""


class NameTaken(LineagegraphError):
    """A name is already taken."""


class ChangedMeanwhile(LineagegraphError):
    """Something was changed by others after the caller read it."""


class InvalidVariable(LineagegraphError):
    """A variable's value is invalid."""


class InvalidPool(LineagegraphError):
    """The name or size of a pool is invalid."""


class PoolInUse(LineagegraphError):
    """Tasks hold or wait for slots of a pool."""


class InvalidFreshness(LineagegraphError):
    """Freshness terms are invalid."""


class InvalidSkip(LineagegraphError):
    """An entry of the skip list is invalid."""


class InvalidMute(LineagegraphError):
    """A mute has no reason, or ends in the past."""


class InvalidPause(LineagegraphError):
    """A pause of all triggers has no reason, or ends in the past."""


class InvalidSensor(LineagegraphError):
    """A sensor's definition is invalid."""


class SettleRefused(LineagegraphError):
    """A wait cannot be settled by hand."""


class InvalidConnection(LineagegraphError):
    """A connection's name or value is invalid, or lacks a required part."""


class PokeFailed(LineagegraphError):
    """A poke failed: the result is neither true nor false."""


class PokeOverdue(PokeFailed):
    """A poke exceeded its time limit."""


class PokeCrashed(PokeFailed):
    """A poke ended the process that it ran in."""


class NotDelivered(LineagegraphError):
    """A notification channel or forwarding target did not accept a message."""


class EventRefused(NotDelivered):
    """A target will never accept this event, however often it is sent."""


class NotFound(LineagegraphError):
    """A job, run, dataset or query does not exist in the graph."""


class Ambiguous(NotFound):
    """A name matches several things; the message lists them."""


class VariableNotSet(NotFound):
    """A variable has no value, and no default was given."""


class ConnectionNotSet(NotFound):
    """A connection is not set on this machine."""


class ArchiveMissing(NotFound):
    """Archived code is deleted, unreachable or damaged."""


class Forgotten(NotFound):
    """Requested state changes are deleted; `oldest` is the oldest that still exists."""

    def __init__(self, message: str, oldest: int, newest: int) -> None:
        super().__init__(message)
        self.oldest = oldest
        self.newest = newest


class BackfillRefused(LineagegraphError):
    """A backfill's partitions are unknown or too many."""


class BackfillConflict(BackfillRefused):
    """A backfill of that id exists and differs, or its state does not allow the change."""


class RunError(LineagegraphError):
    """A run could not be started or finished."""


class RunFailed(RunError):
    """A run that was waited for did not complete."""


class RunKilled(RunError):
    """A run was cancelled."""


class WaitFailed(RunError):
    """A wait timed out or was cancelled."""


class TableRefused(RunError):
    """A table cannot be published."""


class ValueRefused(RunError):
    """A value that a task returned cannot be kept, or not be read by another task."""


class RunRefused(RunError):
    """A run cannot be started as requested."""


class PipelineWithdrawn(RunError):
    """No file defines a pipeline any more."""


class KeyReused(RunError):
    """An idempotency key came before with another request."""


class RerunAsks(RunError):
    """A rerun's policy is `ask`: `choices` are the policies to choose from."""

    def __init__(self, message: str, choices: tuple[str, ...]) -> None:
        super().__init__(message)
        self.choices = choices


class MarkRefused(RunError):
    """A run cannot be marked by hand: it goes on, or has that state."""


class RerunRefused(RunError):
    """A rerun cannot be done as requested; `missing` has a line for each reason."""

    def __init__(self, message: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.missing = missing
