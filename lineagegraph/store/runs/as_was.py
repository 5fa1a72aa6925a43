"""The as-was view: versions with their stored parts."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.store.runs.expansions import ExpansionRow


class ThenRun(msgspec.Struct, frozen=True):
    """A run; `launches` counts how often a worker took it, `only` has the tasks asked for."""

    id: str  # id of the run
    state: str  # its state; PENDING if none was reported
    # time at which it was queued or first reported; None if unknown
    created_at: datetime | None = None
    started_at: datetime | None = None  # its start; None before it
    ended_at: datetime | None = None  # its end; None before it
    nominal_start: datetime | None = None  # start of its data interval; None without one
    nominal_end: datetime | None = None  # end of its data interval; None without one
    attempt: int | None = None  # number of its last attempt, from 1; None if not reported
    launches: int | None = None  # times that a worker took it; None for runs of other producers
    reason: str | None = None  # reason of its state, such as LOST; None without one
    error: str | None = None  # error of a failed run; None without one
    log: str | None = None  # path of its log file; None if not reported
    parent: str | None = None  # id of the run above it; None at the top
    rerun_of: str | None = None  # id of the run that it repeats; None if it is no rerun
    # its number among the reruns of the first run, from 1; None if it is no rerun
    rerun_number: int | None = None
    # `as_was`, `latest` or `pinned:` with a hash; None if it is no rerun
    rerun_policy: str | None = None
    only: tuple[str, ...] = ()  # paths of the requested tasks; empty for all


class ThenVersion(msgspec.Struct, frozen=True):
    """A version of a pipeline: its file, and the files that it was built from, with their hashes.

    `source` is the hash of these files packed; `is_kept` is whether they are still stored. A git
    repository was at `git_commit`, and dirty if files were not committed.
    """

    hash: str  # hash of the version
    # hash of the tasks, edges, parameters and settings; None if unknown
    structure_hash: str | None = None
    code_hash: str | None = None  # hash of the code alone; None if unknown
    covers: str | None = None  # what the code hash covers; None if unknown
    file: str | None = None  # definition file, relative to its project; None if unknown
    root: str | None = None  # absolute path of the project at that time; None if unknown
    created_at: datetime | None = None  # time at which it was stored; None if unknown
    source: str | None = None  # SHA-256 of the packed files; None if they are not linked
    files: tuple[str, ...] = ()  # paths of the packed files
    file_hashes: tuple[str, ...] = ()  # SHA-256 of each of `files`; empty if not stored
    is_kept: bool = False  # whether the packed files are still stored, in the graph or at a URL
    git_commit: str | None = None  # commit of the project; None without a repository
    git_branch: str | None = None  # branch of the project; None without a repository
    # whether files differed from the commit; None without a repository
    git_dirty: bool | None = None
    git_remote: str | None = None  # address of the remote repository; None without one


class ThenEnvironment(msgspec.Struct, frozen=True):
    """The environment of a run; `packages` is JSON text."""

    sha256: str
    python: str
    platform: str
    packages: str


class RunThenRow(msgspec.Struct, frozen=True):
    """A run as it was; `definition` is its version's, `today` the one now in force if another."""

    job_key: str | None  # key of its job; None without a job
    namespace: str | None  # namespace of its job; None if unknown
    job: str  # full name of its job
    kind: str | None  # kind of the run or its job; None if unknown
    run: ThenRun  # properties of the run
    version_hash: str | None  # hash of the version that it ran; None if unknown
    version: ThenVersion | None  # that version; None if it is not stored
    definition: str | None  # pipeline of that version as JSON text; None if it is not stored
    today: str | None  # active pipeline as JSON text; None unless it differs from that
    params: str | None  # JSON text of its parameters; None without any
    variables: str | None  # JSON text of the variables that it read; None without any
    emitted: str | None  # JSON text of the values that it emitted; None without any
    cost: str | None  # JSON text of its Spark usage; None without any
    environment: ThenEnvironment | None  # Python and packages that it ran in; None if not stored
    expansions: tuple[ExpansionRow, ...]  # groups of tasks that its tasks added


class InForceRow(msgspec.Struct, frozen=True):
    """The version of a job in force at a time; `run` is the newest run that was there then."""

    namespace: str  # namespace of the job
    job: str  # full name of the job
    since: datetime | None  # start of the version's period; None if none was active
    until: datetime | None  # end of that period; None without one, or if it still holds
    version: ThenVersion | None  # the version that was active; None if none was
    definition: str | None  # its pipeline as JSON text; None if none was active
    today: str | None  # active pipeline as JSON text; None unless it differs from that
    known_since: datetime | None  # start of the first period of any version; None without one
    run: str | None  # id of the newest run at that time; None without one


class BelowRow(RunTreeRow, frozen=True):
    """A run below another, and those beside it that it came after."""

    parent: str  # id of the run above it
    follows: tuple[str, ...]  # ids of the runs that it came after


@bound
def get_run(tx: Transaction, *, id: str) -> RunThenRow | None: ...


@bound
def get_in_force(tx: Transaction, *, job_key: str, at: datetime) -> InForceRow | None: ...


@bound
def walk_below(tx: Transaction, *, id: str, limit: int) -> list[BelowRow]: ...
