"""Full names of jobs, and the simple names by which a dependency may name them."""

from collections import defaultdict
from collections.abc import Iterable

from lineagegraph.model.pipelines.definition import Pipeline
from lineagegraph.reading.task_jobs import FullName, list_task_jobs
from lineagegraph.store.freshness.dependencies import DependencyJob


class KnownNames:
    """The jobs that files state, and those that a graph has for the same dependencies."""

    def __init__(self) -> None:
        self.names: set[FullName] = set()
        self._by_simple_name: dict[FullName, set[str]] = defaultdict(set)

    def add_pipeline(self, pipeline: Pipeline) -> None:
        """Add a pipeline and its tasks."""
        self.names.add(FullName(pipeline.namespace, pipeline.name))
        for job in list_task_jobs(pipeline):
            namespace, simple = job.name.namespace, job.name.simple_name
            self.names.add(FullName(namespace, job.name.fqn))
            self._by_simple_name[FullName(namespace, simple)].add(job.name.fqn)

    def add_found(self, found: Iterable[DependencyJob]) -> None:
        """Add the jobs that a graph has for the names of dependencies."""
        for one in found:
            name = FullName(one.namespace, one.fqn)
            self._by_simple_name[name] |= set(one.candidates)
            if one.is_known and one.full_name == one.fqn:
                self.names.add(name)
            elif one.is_known and one.full_name:
                self._by_simple_name[name].add(one.full_name)

    def resolve(self, name: FullName) -> FullName | None:
        """Return the one job that a dependency means; None if there is none, or several."""
        if name in self.names:
            return name
        found = self._by_simple_name.get(name, set())
        return FullName(name.namespace, min(found)) if len(found) == 1 else None

    def candidates(self, name: FullName) -> list[str]:
        """Return the full names of the jobs that have a simple name, if they are several."""
        found = self._by_simple_name.get(name, set())
        return sorted(found) if len(found) > 1 and name not in self.names else []
