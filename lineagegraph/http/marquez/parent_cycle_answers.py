"""Cycles of parents, as answers."""

from typing import Annotated

from lineagegraph.http.plumbing.answers import AnswerStruct, Uuid, about
from lineagegraph.queries.analysis.parent_cycles import ParentCycle


class CycleRunAnswer(AnswerStruct):
    """A run on a cycle of parents."""

    id: Annotated[Uuid, about("Id of the run.")]
    parent_run_id: Annotated[Uuid, about("Id of its parent, the next run of the cycle.")]
    namespace: Annotated[str, about("Namespace of its job.")]
    job: Annotated[str, about("FQN of its job.")]


class ParentCycleAnswer(AnswerStruct):
    """Runs that name each other as parents, around a cycle."""

    runs: Annotated[tuple[CycleRunAnswer, ...], about("The runs, each followed by its parent.")]


def parent_cycle_answer(cycle: ParentCycle) -> ParentCycleAnswer:
    """Return a cycle of parents."""
    return ParentCycleAnswer(
        tuple(CycleRunAnswer(run.id, run.parent_id, run.namespace, run.job) for run in cycle.runs)
    )
