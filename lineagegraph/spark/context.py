"""For whom Spark works."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskContext:
    """A task run and its job, under the pipeline run and job at the root."""

    run_id: str
    namespace: str
    job: str
    root_run_id: str
    root_namespace: str
    root_job: str
