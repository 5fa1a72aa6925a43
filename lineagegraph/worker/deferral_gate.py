"""The gate for tasks that defer to a sensor: each waits in the graph, then begins again."""

from collections.abc import Collection, Iterable

import msgspec

from lineagegraph.errors import InvalidSensor
from lineagegraph.execution.outcome import EndReason
from lineagegraph.execution.plan import Step
from lineagegraph.execution.sensor_process import StandbySensorProcess
from lineagegraph.freshness.lease import assert_lease
from lineagegraph.graph import Transaction
from lineagegraph.model.pipelines.entry import End, Entry, Start, Waits
from lineagegraph.model.runs.deferral import Deferral, DeferralAnswer
from lineagegraph.model.runs.states import RunState
from lineagegraph.sensors import Sensor, permitted_sensor
from lineagegraph.store.runs import deferrals, pools
from lineagegraph.store.sensors import sensors
from lineagegraph.store.sensors.sensors import SensorWaitRow
from lineagegraph.waits.begin import begin_wait
from lineagegraph.worker.run_claim import RunClaim

WAITS = "WAITS_FOR_SENSOR"
_ANSWERS = {"success": RunState.COMPLETED, "skipped": RunState.SKIPPED}


class DeferralGate:
    """Admits deferred tasks of a run; `waiting` are the runs of tasks that waited before."""

    def __init__(
        self, run: RunClaim, standby: StandbySensorProcess, waiting: Collection[str]
    ) -> None:
        self._graph = run.graph
        self._run = run
        self._standby = standby
        self._deferrals: dict[str, Deferral] = {}
        self._deferred = set(waiting)
        self._kept: set[str] = set()

    def defer(self, step: Step, deferral: Deferral) -> None:
        """Let a step wait when it is asked for next."""
        self._deferrals[step.run_id] = deferral
        self._deferred.add(step.run_id)

    def has(self, step: Step) -> bool:
        """Return whether a step has deferred and did not take the answer yet."""
        return step.sensor is None and step.run_id in self._deferred

    def enter(self, step: Step) -> Entry:
        """Decide on a deferred step."""
        wait = self._graph.read(sensors.get_wait, run_id=step.run_id)
        deferral = self._deferrals.get(step.run_id)
        if wait is None:
            # A worker that ended before the wait was written has left none: the task begins again.
            return self._first(deferral) if deferral else self._go_on(step)
        if wait.outcome is None:
            named = deferral.text if deferral else f"sensor {wait.sensor_id[:8]}"
            return Waits(WAITS, f"waits for {named}", ())
        if wait.outcome in _ANSWERS:
            answer = _answer(wait, _ANSWERS[wait.outcome])
            self._graph.write(self._take, step, [*step.answers, answer])
            step.answers.append(answer)
            return self._go_on(step)
        self._deferred.discard(step.run_id)
        return _failed(wait)

    def keep(self, step: Step) -> bool:
        """Record the wait of a step, and give its slots back; False without a run in the graph."""
        deferral = self._deferrals.get(step.run_id)
        is_kept = deferral is None or self._graph.write(self._begin, step.run_id, deferral)
        if is_kept:
            self._kept.add(step.run_id)
            self._standby.keep()
        return is_kept

    def list_settled(self, run_ids: Iterable[str]) -> set[str]:
        """Return the runs of steps whose wait is over; a sensor process is kept for the others."""
        waiting = self._kept & self._deferred & set(run_ids)
        if not waiting:
            return set()
        self._standby.keep()
        found = self._graph.read(sensors.list_settled, ids=sorted(waiting))
        return {row.run_id for row in found}

    def _first(self, deferral: Deferral) -> Entry:
        try:
            _sensor(deferral)
        except InvalidSensor as error:
            return End(RunState.FAILED, "INVALID_SENSOR", str(error))
        return Waits(WAITS, f"waits for {deferral.text}", ())

    def _go_on(self, step: Step) -> Start:
        for known in (self._deferred, self._kept):
            known.discard(step.run_id)
        self._deferrals.pop(step.run_id, None)
        return Start(0)

    def _begin(self, tx: Transaction, run_id: str, deferral: Deferral) -> bool:
        assert_lease(tx, self._run.id, self._run.fence)
        pools.release_claims(tx, run_ids=[run_id])
        found = begin_wait(
            tx,
            run_id=run_id,
            root_id=self._run.id,
            sensor=_sensor(deferral),
            terms=deferral.terms,
            asked=deferral.asked,
        )
        return found is not None

    def _take(self, tx: Transaction, step: Step, answers: list[DeferralAnswer]) -> None:
        assert_lease(tx, self._run.id, self._run.fence)
        text = msgspec.json.encode(answers).decode()
        deferrals.settle_answers(tx, run_id=step.run_id, answers=text)


def _sensor(deferral: Deferral) -> Sensor:
    return permitted_sensor(deferral.kind, msgspec.json.decode(deferral.fields))


def _answer(wait: SensorWaitRow, state: RunState) -> DeferralAnswer:
    values = msgspec.json.decode(wait.value) if wait.value else {}
    return DeferralAnswer(
        asked=wait.asked or wait.sensor_id, state=state, message=wait.message, values=values
    )


def _failed(wait: SensorWaitRow) -> End:
    message = f"deferred: {wait.message or 'the wait ended'}"
    if wait.outcome == "cancelled":
        return End(RunState.KILLED, "CANCELLED", message)
    return End(RunState.FAILED, EndReason.TIMEOUT if wait.is_late else "SENSOR_FAILED", message)
