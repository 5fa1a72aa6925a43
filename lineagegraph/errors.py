"""Everything that lineagegraph raises on purpose.

LineagegraphError
├── SettingsError                  a setting that cannot be used
├── ServerError                    the managed Neo4j
│   ├── JavaMissing
│   ├── DownloadFailed
│   └── ServerNotStarted
├── GraphError                     the connection to any Neo4j
│   ├── GraphUnreachable
│   │   └── GraphFailed
│   ├── GraphClosed
│   ├── GraphLoginRefused
│   ├── GraphBusy
│   ├── QueryRefused
│   │   └── WriteRefused
│   ├── QueryInterrupted
│   └── SchemaMismatch
├── InvalidEvent                   an OpenLineage event, with the JSON path of the fault
├── DefinitionError                a pipeline definition, with file and line where known
│   ├── DefinitionCycle
│   └── InvalidParameter
├── InvalidRule                    a trigger that cannot be used
│   └── TriggerCycle
├── SourceFailed                   another server that is imported from, or an import of it
├── InvalidName                    a name that nothing can have
├── NameTaken                      a name that something has already
├── InvalidVariable                a value that a variable cannot have
├── InvalidFreshness               terms of freshness that cannot be used
├── InvalidSkip                    an entry that the skip list cannot have
├── InvalidSensor                  a sensor that cannot be looked at
├── InvalidConnection              a connection that cannot be used
├── PokeFailed                     a look at what a sensor is about that gave no answer
│   └── PokeOverdue                one that was not over when it had to be
├── NotDelivered                   what its channel or target did not take
│   └── EventRefused               an event that its target will not take later either
├── NotFound                       a job, run, dataset or query that the graph does not have
│   ├── Ambiguous                  a name that several have
│   ├── VariableNotSet             a variable without a value, where no default was given
│   ├── ConnectionNotSet           a connection that nobody has set
│   ├── ArchiveMissing             archived code that is no longer kept, or is damaged
│   └── Forgotten                  changes of state that are not kept any more, or not yet there
├── BackfillRefused                a backfill whose partitions cannot be told
│   └── BackfillConflict           a backfill that is there already, or in another state
└── RunError                       a run that could not be started or finished
    ├── RunFailed                  a run that somebody waited for
    ├── RunKilled
    ├── WaitFailed                 a wait whose time was over
    ├── TableRefused               a table that cannot be published
    ├── RerunAsks                  a rerun for which somebody has to choose the code
    └── RerunRefused               a rerun that cannot be what was asked for

The message is one line: what is wrong, where, and what to do.
"""


class LineagegraphError(Exception):
    """The root of the tree: catch this to catch all of it."""


class SettingsError(LineagegraphError):
    """A setting that cannot be used."""


class ServerError(LineagegraphError):
    """The managed Neo4j server cannot do what was asked."""


class JavaMissing(ServerError):
    """No Java 17 or later was found, and none could be fetched."""


class DownloadFailed(ServerError):
    """An artifact could not be fetched, or is not what the lock says."""


class ServerNotStarted(ServerError):
    """The managed server ended or did not get ready in time."""


class GraphError(LineagegraphError):
    """The graph cannot be used."""


class GraphUnreachable(GraphError):
    """No Neo4j answers at the address."""


class GraphFailed(GraphUnreachable):
    """Neo4j answers, and its database works no longer until it is started again."""


class GraphClosed(GraphError):
    """A connection that somebody closed."""


class GraphLoginRefused(GraphError):
    """Neo4j answers, and refuses the user name or the password."""


class GraphBusy(GraphError):
    """Neo4j answers, and cannot do now what it could do later."""


class QueryRefused(GraphError):
    """Neo4j refuses a statement: it is no Cypher, or writes where it may only read."""


class WriteRefused(QueryRefused):
    """A statement writes where it may only read."""


class QueryInterrupted(GraphError):
    """A query that somebody ended."""


class SchemaMismatch(GraphError):
    """The graph's migrations are not this program's."""


class InvalidEvent(LineagegraphError):
    """An OpenLineage event that cannot be taken; `path` is the JSON path of the fault."""

    def __init__(self, message: str, path: str = "$") -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class DefinitionError(LineagegraphError):
    """A pipeline definition that cannot be used."""


class DefinitionCycle(DefinitionError):
    """Tasks that wait for each other; the message has the path."""


class InvalidParameter(DefinitionError):
    """A parameter that is missing, unknown or of the wrong type."""


class InvalidRule(LineagegraphError):
    """A trigger, or a part of one, that cannot be used."""


class TriggerCycle(InvalidRule):
    """Triggers that set each other off; the message has the path."""


class SourceFailed(LineagegraphError):
    """Another server cannot be imported from, or what was imported cannot be undone."""


class InvalidName(LineagegraphError):
    """Nothing can have that name."""


class NameTaken(LineagegraphError):
    """Something has that name already."""


class InvalidVariable(LineagegraphError):
    """A variable cannot have that value."""


class InvalidFreshness(LineagegraphError):
    """Nothing can be judged by such terms of freshness."""


class InvalidSkip(LineagegraphError):
    """The skip list cannot have such an entry."""


class InvalidSensor(LineagegraphError):
    """Nothing can be looked at like that."""


class InvalidConnection(LineagegraphError):
    """A connection cannot have such a name or value, or has not what is asked of it."""


class PokeFailed(LineagegraphError):
    """A look gave no answer: that is neither true nor false."""


class PokeOverdue(PokeFailed):
    """A look takes longer than it may."""


class NotDelivered(LineagegraphError):
    """A channel did not take a notification, or a target an event."""


class EventRefused(NotDelivered):
    """A target will not take this event, however often it is sent."""


class NotFound(LineagegraphError):
    """The graph does not have it."""


class Ambiguous(NotFound):
    """Several have that name; the message lists them."""


class VariableNotSet(NotFound):
    """A variable that is asked for has no value, and no default was given."""


class ConnectionNotSet(NotFound):
    """A connection that is named is not set, where it is looked for."""


class ArchiveMissing(NotFound):
    """Archived code is no longer kept, cannot be reached or is damaged."""


class Forgotten(NotFound):
    """Changes of state from a number on are asked for, and are gone; `oldest` is still there."""

    def __init__(self, message: str, oldest: int, newest: int) -> None:
        super().__init__(message)
        self.oldest = oldest
        self.newest = newest


class BackfillRefused(LineagegraphError):
    """A backfill whose partitions cannot be told, or are too many."""


class BackfillConflict(BackfillRefused):
    """A backfill that is there already and is another, or whose state does not allow it."""


class RunError(LineagegraphError):
    """A run could not be started or finished."""


class RunFailed(RunError):
    """A run that somebody waited for did not complete."""


class RunKilled(RunError):
    """A run was cancelled."""


class WaitFailed(RunError):
    """What somebody waited for did not come in time, or somebody ended the wait."""


class TableRefused(RunError):
    """A table cannot be published like that."""


class RerunAsks(RunError):
    """A rerun whose policy is to ask: `choices` are the policies to choose from."""

    def __init__(self, message: str, choices: tuple[str, ...]) -> None:
        super().__init__(message)
        self.choices = choices


class RerunRefused(RunError):
    """A rerun that cannot be what was asked for; `missing` has a line for each reason."""

    def __init__(self, message: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.missing = missing
