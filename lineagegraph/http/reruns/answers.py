"""Reruns as answers."""

from typing import Annotated, Any, Literal, TypeVar

from lineagegraph.http.plumbing.answers import AnswerStruct, Uuid, about, answer_from
from lineagegraph.reruns.plan import Plan
from lineagegraph.reruns.start import Rerun
from lineagegraph.store.jobs.details import Named


class RerunDifferenceAnswer(AnswerStruct):
    """A difference from the original run."""

    what: Literal[
        "version", "task", "order", "setting", "code", "parameter", "variable", "package", "input"
    ]
    name: str
    before: Annotated[Any, about("Null where there was none.")]
    after: Annotated[Any, about("Null where there is none.")]


class RerunPlanAnswer(AnswerStruct):
    """A rerun that is not started."""

    rerun_of: Annotated[Uuid, about("Run to repeat.")]
    job: Annotated[Named, about("Job of that run.")]
    policy: Annotated[str, about("Code that it runs: as_was, latest or pinned: with a hash.")]
    version: Annotated[str | None, about("Hash of the version that it runs.")]
    tasks: Annotated[tuple[str, ...], about("Paths of the tasks that run; none where all do.")]
    params: Annotated[dict[str, Any], about("Values of its parameters, by name.")]
    differences: Annotated[list[RerunDifferenceAnswer], about("Differences from that run.")]
    missing: Annotated[tuple[str, ...], about("Why it would be refused.")]


class RerunAnswer(RerunPlanAnswer):
    """A rerun that was queued."""

    run_id: Annotated[Uuid, about("The new run.")]
    number: Annotated[int, about("Its number among the reruns of the first run.")]


class RerunChoicesAnswer(AnswerStruct):
    """The policies to choose from, each with its rerun."""

    error: str
    policies: tuple[str, ...]
    choices: list[RerunPlanAnswer]


class RerunRefusalAnswer(AnswerStruct):
    """Why a run cannot be repeated."""

    error: str
    missing: list[str]


P = TypeVar("P", bound=RerunPlanAnswer)


def plan_answer(plan: Plan) -> RerunPlanAnswer:
    """Return a rerun that is not started."""
    return _plan(RerunPlanAnswer, plan)


def rerun_answer(rerun: Rerun) -> RerunAnswer:
    """Return a rerun that was queued."""
    return _plan(RerunAnswer, rerun.plan, run_id=rerun.run, number=rerun.number)


def _plan(kind: type[P], plan: Plan, **more: Any) -> P:
    return answer_from(
        kind,
        plan,
        rerun_of=plan.run,
        job=Named(plan.namespace, plan.job),
        differences=[answer_from(RerunDifferenceAnswer, one) for one in plan.differences],
        **more,
    )
