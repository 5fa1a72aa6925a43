"""The as-was view: versions with their stored parts."""

from datetime import datetime

import msgspec

from lineagegraph.graph import Transaction, bound
from lineagegraph.store.jobs.hierarchy import RunTreeRow
from lineagegraph.store.runs.expansions import ExpansionRow


class ThenRun(msgspec.Struct, frozen=True):
    """A run; `launches` counts how often a worker took it, `only` has the tasks asked for."""

    id: str
    state: str
    created_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    nominal_start: datetime | None = None
    nominal_end: datetime | None = None
    attempt: int | None = None
    launches: int | None = None
    reason: str | None = None
    error: str | None = None
    log: str | None = None
    parent: str | None = None
    rerun_of: str | None = None
    rerun_number: int | None = None
    rerun_policy: str | None = None
    only: tuple[str, ...] = ()


class ThenVersion(msgspec.Struct, frozen=True):
    """A version of a pipeline: its file, and the files that it was built from, with their hashes.

    `source` is the hash of these files packed; `is_kept` is whether they are still stored. A git
    repository was at `git_commit`, and dirty if files were not committed.
    """

    hash: str
    structure_hash: str | None = None
    code_hash: str | None = None
    file: str | None = None
    root: str | None = None
    created_at: datetime | None = None
    source: str | None = None
    files: tuple[str, ...] = ()
    file_hashes: tuple[str, ...] = ()
    is_kept: bool = False
    git_commit: str | None = None
    git_branch: str | None = None
    git_dirty: bool | None = None
    git_remote: str | None = None


class ThenEnvironment(msgspec.Struct, frozen=True):
    """The environment of a run; `packages` is JSON text."""

    sha256: str
    python: str
    platform: str
    packages: str


class RunThenRow(msgspec.Struct, frozen=True):
    """A run as it was; `definition` is its version's, `today` the one now in force if another."""

    job_key: str | None
    namespace: str | None
    job: str
    kind: str | None
    run: ThenRun
    version_hash: str | None
    version: ThenVersion | None
    definition: str | None
    today: str | None
    params: str | None
    variables: str | None
    emitted: str | None
    cost: str | None
    environment: ThenEnvironment | None
    expansions: tuple[ExpansionRow, ...]


class InForceRow(msgspec.Struct, frozen=True):
    """The version of a job in force at a time; `run` is the newest run that was there then."""

    namespace: str
    job: str
    since: datetime | None
    until: datetime | None
    version: ThenVersion | None
    definition: str | None
    today: str | None
    known_since: datetime | None
    run: str | None


class BelowRow(RunTreeRow, frozen=True):
    """A run below another, and those beside it that it came after."""

    parent: str
    follows: tuple[str, ...]


@bound
def get_run(tx: Transaction, *, id: str) -> RunThenRow | None: ...


@bound
def get_in_force(tx: Transaction, *, job_key: str, at: datetime) -> InForceRow | None: ...


@bound
def walk_below(tx: Transaction, *, id: str, limit: int) -> list[BelowRow]: ...
