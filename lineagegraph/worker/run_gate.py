"""The gate of one run: its tasks wait for parents, equal tasks of others, sensors and pools."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime, timedelta

from lineagegraph.execution.kinds.python_work import Load
from lineagegraph.execution.plan import Step
from lineagegraph.execution.request import RunRequest
from lineagegraph.execution.sensor_process import StandbySensorProcess
from lineagegraph.freshness.candidate import Entering
from lineagegraph.freshness.due_waits import end_due_waits
from lineagegraph.freshness.enter import enter
from lineagegraph.freshness.keep_waits import keep_waits
from lineagegraph.freshness.pool_slots import (
    WAITS_FOR_POOL,
    SlotRequest,
    queue_waiting_for_slots,
    take_slots,
)
from lineagegraph.freshness.shared_task import Sharing, enter_shared, keep_shared
from lineagegraph.freshness.start_upstream import start_upstream
from lineagegraph.graph import Graph
from lineagegraph.liveness.contact import Contact
from lineagegraph.liveness.daemons import NudgeListener, has_daemon, nudge, nudge_daemons
from lineagegraph.model.freshness.terms import Counts
from lineagegraph.model.names.keys import canonical_hash, canonical_json
from lineagegraph.model.pipelines.definition import PythonTask
from lineagegraph.model.pipelines.entry import Ended, Entry, Skipped, Start, Waits
from lineagegraph.model.pipelines.hierarchy import may_wait
from lineagegraph.model.pipelines.parameters import partition_of
from lineagegraph.model.runs.deferral import Deferral
from lineagegraph.process_environment.graph_place import graph_place
from lineagegraph.runs.reap import reap_lost_runs
from lineagegraph.sensors.calls.fingerprint import fingerprint
from lineagegraph.settings import Settings
from lineagegraph.store.admin.clock import get_time
from lineagegraph.store.freshness import waits
from lineagegraph.store.runs import launches, pools
from lineagegraph.store.runs.launches import BatchRow
from lineagegraph.worker.deferral_gate import DeferralGate
from lineagegraph.worker.run_claim import RunClaim
from lineagegraph.worker.sensor_gate import SensorGate
from lineagegraph.worker.sensor_pokes import RunSensorPoker


class SharedTasks:
    """Admits tasks with an identity; with `since`, only later successes count."""

    def __init__(self, run: RunClaim, load: Load, since: datetime | None) -> None:
        self._graph = run.graph
        self._run = run
        self._load = load
        self._since = since

    def enter(self, step: Step) -> Entry:
        """Decide on a task."""
        return self._graph.write(enter_shared, self._sharing(step))

    def keep(self, step: Step, found: Waits) -> bool:
        """Record the wait of a task."""
        return self._graph.write(keep_shared, self._sharing(step), found)

    def _sharing(self, step: Step) -> Sharing:
        assert step.task is not None
        return Sharing(
            run_id=step.run_id,
            root_id=self._run.id,
            fence=self._run.fence,
            job_key=step.job.key,
            identity=self._identity(step),
            within=timedelta(seconds=step.task.shared_for),
            since=self._since,
        )

    def _identity(self, step: Step) -> str:
        """Return the hash of the function, its code, and the values that distinguish tasks."""
        assert step.task is not None
        work = step.task.work
        assert isinstance(work, PythonTask)
        function = step.function or self._load(work, step.path)
        values = {name: step.params.get(name) for name in step.task.identity or ()}
        return canonical_hash([work.qualname, fingerprint(function), values])


class RunGate:
    """Admits tasks of a run, while the run is this worker's by its fence."""

    def __init__(
        self,
        run: RunClaim,
        options: BatchRow,
        skips: Mapping[str, Skipped],
        sensors: SensorGate,
        shared: SharedTasks,
        deferrals: DeferralGate,
        *,
        may_park: bool,
    ) -> None:
        self._graph = run.graph
        self._settings = settings = run.settings
        self._run_id = run.id
        self._fence = run.fence
        self._options = options
        self._skips = skips
        self._sensors = sensors
        self._shared = shared
        self._deferrals = deferrals
        self._may_park = may_park
        self._contact = Contact(gap=settings.lease_seconds / 2, term=settings.lease_seconds)

    def enter(self, step: Step, ended: Mapping[str, Ended]) -> Entry:
        """Decide on a task; a sensor starts to wait once it is its turn."""
        entry = self._deferrals.enter(step) if self._deferrals.has(step) else Start(0)
        if isinstance(entry, Start) and step.is_gated:
            entry = self._graph.write(enter, self._entering(step, ended))
        if isinstance(entry, Start) and step.has_identity:
            entry = self._shared.enter(step)
        if isinstance(entry, Start) and step.pool:
            entry = self._graph.write(take_slots, self._slots(step))
        return self._sensors.enter(step) if step.sensor and isinstance(entry, Start) else entry

    def keep(self, step: Step, found: Waits) -> bool:
        """Record the wait of a task; start the awaited jobs too if the run was queued that way."""
        if found.reason == WAITS_FOR_POOL:
            # Its place in the queue is its own already.
            return True
        if not found.on:
            return (self._deferrals if self._deferrals.has(step) else self._sensors).keep(step)
        if found.is_shared:
            return self._shared.keep(step, found)
        if self._options.with_upstream:
            partition = partition_of(step.pipeline, step.params) or {}
            self._graph.write(start_upstream, self._run_id, found, partition)
            nudge_daemons(self._graph)
        return self._graph.write(keep_waits, self._entering(step, {}), found)

    def defer(self, step: Step, deferral: Deferral) -> None:
        """Let a task that has begun wait for a sensor when it is asked for next."""
        self._deferrals.defer(step, deferral)

    def hold_back(self, step: Step) -> None:
        """Let others go first in the pool of a waiting task that has no place in its run."""
        self._graph.write(pools.set_held_back, run_id=step.run_id)

    def listen(self, on_change: Callable[[], None]) -> Callable[[], None]:
        """Call `on_change` when a wait may be over; return what ends this."""
        listener = NudgeListener(on_change)
        self._graph.write(
            launches.set_wake_address, id=self._run_id, fence=self._fence, address=listener.address
        )
        return listener.close

    def list_ready(self, steps: Iterable[Step]) -> Collection[Step]:
        """Return those waiting tasks that are to be asked for again."""
        self._act_as_daemon()
        known = {step.run_id: step for step in steps}
        over = {
            *self._graph.read(waits.list_settled, ids=sorted(known)),
            *self._sensors.list_settled(known),
            *self._deferrals.list_settled(known),
        }
        if any(step.pool for step in known.values()):
            over |= {one.run_id for one in self._graph.read(pools.due_claims, now=None)}
        return [known[id_] for id_ in sorted(over & known.keys())]

    def try_park(self) -> bool:
        """Park the run if this process need not stay for its waits; return whether it did."""
        may_park = self._may_park and has_daemon(self._graph)
        most = self._settings.resting_workers if may_park else _UNLIMITED
        is_parked = self._graph.write(
            launches.settle_resting,
            id=self._run_id,
            fence=self._fence,
            most=most,
            keeps_process=not self._may_park,
            by_worker=True,
            now=None,
        )
        return bool(is_parked)

    def resume(self) -> None:
        """Record that the run has work again."""
        self._graph.write(launches.set_working, id=self._run_id, fence=self._fence)

    def _act_as_daemon(self) -> None:
        """Reap lost runs and end due waits if no daemon is running."""
        self._contact.note(self._graph.read(get_time))
        if has_daemon(self._graph):
            return
        max_event_age, notify = self._settings.max_event_age, self._settings.notify
        logs = self._settings.home / "logs"
        # A worker that is slow to renew its lease is not gone.
        reap_lost_runs(
            self._graph,
            max_event_age,
            self._contact,
            notify,
            logs,
            place=graph_place(self._settings),
            own=self._run_id,
        )
        wake_due_waits(self._graph, self._settings)

    def _slots(self, step: Step) -> SlotRequest:
        task = step.task
        assert task is not None
        assert task.pool is not None
        return SlotRequest(
            run_id=step.run_id,
            root_id=self._run_id,
            fence=self._fence,
            job_key=step.job.key,
            pool=task.pool,
            slots=task.pool_slots,
            priority=task.priority,
        )

    def _entering(self, step: Step, ended: Mapping[str, Ended]) -> Entering:
        task, around = step.task, step.parent
        assert task is not None
        assert task.freshness is not None
        assert around is not None
        return Entering(
            run_id=step.run_id,
            root_id=self._run_id,
            fence=self._fence,
            job_key=step.job.key,
            namespace=step.pipeline.namespace,
            freshness=task.freshness,
            dependencies=task.dependencies,
            inside={one.name: one.job.key for one in around.children},
            ended=ended,
            skips=self._skips,
            parts=_parts(step),
            submitted=self._options.submitted_at,
            force=self._options.force,
            ignore_parents=self._options.ignore_upstream,
            zone=self._settings.zone,
            counts=Counts(self._settings.freshness_counts),
        )


def needs_gate(request: RunRequest) -> bool:
    """Return whether tasks of a run wait, or may wait before they begin."""
    return bool(request.waiting) or may_wait(request.version.pipeline)


def open_gate(
    run: RunClaim,
    request: RunRequest,
    poker: RunSensorPoker,
    standby: StandbySensorProcess,
    *,
    may_park: bool,
) -> RunGate:
    """Return the gate of a run executed by this process; the run goes on if its worker is lost."""
    options = run.graph.write(launches.claim_batch, id=run.id)
    sensors = SensorGate(run.graph, run.settings, run.id, poker, standby)
    since = options.submitted_at if options.force else None
    shared = SharedTasks(run, poker.load, since)
    deferrals = DeferralGate(run, standby, request.waiting.values())
    return RunGate(run, options, request.skips, sensors, shared, deferrals, may_park=may_park)


def wake_due_waits(graph: Graph, settings: Settings) -> None:
    """End all waits that are due, and nudge the runs that continue."""
    counts = Counts(settings.freshness_counts)
    woken = graph.write(end_due_waits, zone=settings.zone, counts=counts)
    nudge(one.address for one in woken if one.address)
    nudge(queue_waiting_for_slots(graph))


def _parts(step: Step) -> tuple[str, ...]:
    partition = partition_of(step.pipeline, step.params) or {}
    return tuple(canonical_json({name: text})[1:-1] for name, text in sorted(partition.items()))


_UNLIMITED = 1_000_000
