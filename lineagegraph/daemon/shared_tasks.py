"""The side of a run's gate that is about tasks which other pipelines have too."""

from datetime import datetime, timedelta

from lineagegraph.execution.plan import Step
from lineagegraph.execution.python_work import Load
from lineagegraph.graph import Graph
from lineagegraph.model.canonical import canonical_hash
from lineagegraph.model.definition import PythonTask
from lineagegraph.model.entry import Entry, Waits
from lineagegraph.scheduling.shared_task import Sharing, enter_shared, keep_shared
from lineagegraph.sensors.calls.fingerprint import fingerprint
from lineagegraph.store.launches import Launch


class SharedTasks:
    """Lets tasks with an identity in; `since` is from when on a success counts, if from one."""

    def __init__(self, graph: Graph, launch: Launch, load: Load, since: datetime | None) -> None:
        self._graph = graph
        self._launch = launch
        self._load = load
        self._since = since

    def enter(self, step: Step) -> Entry:
        """Say what a task does now."""
        return self._graph.write(enter_shared, self._sharing(step))

    def keep(self, step: Step, found: Waits) -> bool:
        """Keep what a task waits for."""
        return self._graph.write(keep_shared, self._sharing(step), found)

    def _sharing(self, step: Step) -> Sharing:
        assert step.task is not None
        return Sharing(
            run_id=step.run_id,
            root_id=self._launch.id,
            fence=self._launch.fence,
            job_key=step.job.key,
            identity=self._identity(step),
            within=timedelta(seconds=step.task.shared_for),
            since=self._since,
        )

    def _identity(self, step: Step) -> str:
        """Return the hash of the function, its code, and the values that tell tasks apart."""
        assert step.task is not None
        work = step.task.work
        assert isinstance(work, PythonTask)
        function = step.function or self._load(work, step.path)
        values = {name: step.params.get(name) for name in step.task.identity or ()}
        return canonical_hash([work.qualname, fingerprint(function), values])
