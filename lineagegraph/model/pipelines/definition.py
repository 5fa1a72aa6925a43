"""A pipeline as defined in its file, without the user's code."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from lineagegraph.model.freshness.terms import Dependency, Freshness
from lineagegraph.model.pipelines.when import When
from lineagegraph.model.triggers.trigger import Trigger
from lineagegraph.model.waits import WaitTerms

HOUR = 3600.0
DAY = 24 * HOUR


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A typed parameter; one without a default is required at run time."""

    name: str
    type: str
    default: Any = None
    required: bool = False


class Emit(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a task may emit."""

    name: str
    type: str


class PythonTask(msgspec.Struct, frozen=True, kw_only=True, tag="python", tag_field="runs"):
    """A function; `arguments` are the names that it takes.

    `takes` has the tasks beside it whose values some of these are; `optional` lists those that
    may be None. With `branches` it returns the names of the tasks after it that run.

    `captured` is the canonical form of its state besides its code: closure, defaults, partial
    arguments.
    """

    module: str
    qualname: str
    arguments: tuple[str, ...] = ()
    captured: dict[str, Any] = {}
    takes: dict[str, str] = {}
    optional: tuple[str, ...] = ()
    branches: bool = False


class CommandTask(msgspec.Struct, frozen=True, kw_only=True, tag="command", tag_field="runs"):
    """A program and its arguments; `{name}` in an argument is the parameter's value."""

    command: tuple[str, ...]
    environment: dict[str, str] = {}


class SparkSubmitTask(
    msgspec.Struct, frozen=True, kw_only=True, tag="spark_submit", tag_field="runs"
):
    """A jar or Python file for `spark-submit`."""

    file: str
    main: str | None = None
    args: tuple[str, ...] = ()
    conf: dict[str, str] = {}


class SqlTask(msgspec.Struct, frozen=True, kw_only=True, tag="sql", tag_field="runs"):
    """A query in Spark SQL, and the table for its result; `{name}` is a value."""

    sql: str
    target: str | None = None
    mode: str = "overwrite"


class NotebookTask(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag="notebook",
    tag_field="runs",
):
    """A Jupyter notebook, called with its own `params` and the pipeline's parameters.

    `{name}` in a text of these is the parameter's value; a text that is nothing else keeps its
    type. Its own `params` come first.
    """

    file: str
    params: dict[str, Any] = {}


class SensorTask(
    WaitTerms, frozen=True, kw_only=True, tag="sensor", tag_field="runs", omit_defaults=False
):
    """A wait for a sensor, by its kind and poke fields.

    `{name}` in a text of these is the parameter's value; a text that is nothing else keeps its
    type. `call` is a function of the project that is polled.
    """

    kind: str  # kind of the sensor
    # poke fields of that kind, by name
    fields: dict[str, Any] = msgspec.field(default_factory=dict)
    call: PythonTask | None = None  # function to poll; None for other kinds


class GroupTask(msgspec.Struct, frozen=True, kw_only=True, tag="group", tag_field="runs"):
    """Tasks under one name that succeed or fail together."""

    tasks: tuple[Task, ...]


class PipelineTask(msgspec.Struct, frozen=True, kw_only=True, tag="pipeline", tag_field="runs"):
    """Another pipeline as a task of this one, with values for its parameters."""

    pipeline: Pipeline
    params: dict[str, Any] = {}


class ExpansionTask(msgspec.Struct, frozen=True, kw_only=True, tag="expansion", tag_field="runs"):
    """Tasks that a running task added after itself: `each`, for every key with its values.

    `parameters` has the types of the values, `code` the hash of a function's `TaskCode`, or else
    `not_kept` the reason why there is none. `added` has tasks that these tasks added in turn. A
    definition contains none.
    """

    each: Task
    keys: tuple[str, ...] = ()
    values: tuple[dict[str, Any], ...] = ()
    parameters: tuple[Parameter, ...] = ()
    code: str | None = None
    not_kept: str | None = None
    added: tuple[Task, ...] = ()


AnyWork = (
    PythonTask
    | CommandTask
    | SparkSubmitTask
    | SqlTask
    | NotebookTask
    | SensorTask
    | GroupTask
    | PipelineTask
    | ExpansionTask
)


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One step; `name` is unique among its siblings, `after` names siblings.

    If `emits` is None it may emit anything. In a batch it has terms of `freshness` for itself, and
    `dependencies`: one for each task in `after`, and external jobs. `cluster` names one of the
    pipeline's clusters. With an `identity`, tasks of other pipelines with the same function and the
    same values of these parameters are equal, and its outcome counts for them for `shared_for`
    seconds.
    """

    name: str  # name among its siblings
    work: AnyWork  # the code, command, query, notebook, sensor or group that it runs
    after: tuple[str, ...] = ()  # names of the siblings that it follows
    retries: int = 0  # attempts after the first one
    retry_delay: float = 0.0  # seconds before the second attempt
    retry_backoff: float = 2.0  # factor of the delay before each further attempt
    retry_jitter: float = 0.25  # part of the first delay of which a random piece is added
    max_retry_delay: float = HOUR  # seconds that such a delay may have, without the random piece
    timeout: float | None = None  # seconds for one attempt; None for no limit
    emits: tuple[Emit, ...] | None = None  # names and types of emitted values; None allows any
    freshness: Freshness | None = None  # terms of a batch task for itself
    dependencies: tuple[Dependency, ...] = ()  # terms for each job that a batch task needs
    cluster: str | None = None  # name of a cluster of the pipeline; None for the unnamed one
    # parameters that make equal tasks of other pipelines one
    identity: tuple[str, ...] | None = None
    shared_for: float = DAY  # seconds for which its outcome counts for equal tasks
    pass_env: tuple[str, ...] = ()  # environment variables that it gets besides the usual ones
    memory: int | None = None  # bytes that its processes may use; None for no limit
    cpu_time: float | None = None  # seconds of CPU time that they may use; None for no limit
    when: When = When.ALL_SUCCESS  # rule about the ends of the tasks in `after`
    # whether it cleans up: it also runs in a cancelled run, and its failure fails no run
    teardown: bool = False
    pool: str | None = None  # pool of which it takes slots while it runs; None for none
    pool_slots: int = 1  # number of these slots
    priority: int = 0  # rank among the tasks that wait for the pool, the highest first


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """A cluster for tasks: Spark settings, and the programs that create and remove it.

    `create` and `destroy` are commands, or functions as `module:name`.
    """

    name: str
    spark: dict[str, str] = {}
    create: tuple[str, ...] | str | None = None
    destroy: tuple[str, ...] | str | None = None


class Pipeline(msgspec.Struct, frozen=True, kw_only=True):
    """A pipeline: its tasks, parameters, Spark configuration and triggers.

    `partition_by` names the parameters that identify the partition of a run. Its time triggers fire
    from `start_date` to `end_date`, inclusive. `rerun` is the policy of reruns. Tasks of a `batch`
    run only if they are not fresh, after their dependencies. Tasks without a cluster run on the
    unnamed one, if there is one, or else with `spark`.
    """

    name: str  # name of its job
    namespace: str  # namespace of its job
    tasks: tuple[Task, ...]  # its tasks at the top level
    parameters: tuple[Parameter, ...] = ()  # declared parameters with types and defaults
    partition_by: tuple[str, ...] = ()  # names of the parameters that identify a partition
    triggers: tuple[Trigger, ...] = ()  # the rules that start it
    concurrency: int = 4  # tasks that may run at once
    timeout: float | None = None  # seconds for a run, from its start; None for no limit
    spark: dict[str, str] = {}  # Spark configuration by key
    description: str | None = None  # description for people
    start_date: datetime | None = None  # first time of its schedules
    end_date: datetime | None = None  # last time of its schedules
    rerun: str | None = None  # policy of reruns; None for the setting
    batch: bool = False  # whether fresh tasks are skipped
    clusters: tuple[Cluster, ...] = ()  # Spark clusters of its tasks
    masked: tuple[str, ...] = ()  # places of values that are masked in the graph


OWN_CLOSURE = "own closure"


class PipelineVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A pipeline, the two hashes that identify its version, and the source it was built from."""

    hash: str  # hash of the two others
    structure_hash: str  # hash of the pipeline and of the values that its functions hold
    code_hash: str  # hash of the code that it can reach
    pipeline: Pipeline  # its content
    source_sha256: str  # SHA-256 of its packed files
    file: str  # path of its definition file, relative to the root
    root: str  # absolute path of its project
    covers: str | None = None  # `OWN_CLOSURE`, or why the code hash covers whole files
