"""The dependents of a column as an answer."""

from typing import Annotated, Any, TypeVar

from lineagegraph.http.plumbing.answers import AnswerStruct, Count, about
from lineagegraph.queries.find.resolve import served_namespace
from lineagegraph.queries.lineage.impact import AffectedColumn, AffectedDataset, AffectedJob, Impact
from lineagegraph.store.lineage.lineage import ColumnRow, DatasetRow, JobRow

_Distance = Annotated[Count, about("How many edges away.")]
_Direct = Annotated[
    bool,
    about("Whether values flow all the way; else they only filter, join, sort or group somewhere."),
]


class ImpactingColumnAnswer(AnswerStruct):
    """A column."""

    id: Annotated[str, about("Node id: datasetField:NAMESPACE:DATASET:FIELD.")]
    namespace: Annotated[str, about("Namespace of its dataset.")]
    dataset: Annotated[str, about("Name of its dataset.")]
    field: Annotated[str, about("Name of the column.")]
    field_type: Annotated[str | None, about("Its type; null if unknown.")]


class AffectedColumnAnswer(ImpactingColumnAnswer):
    """A column that depends on another."""

    distance: _Distance
    direct: _Direct
    path: Annotated[list[str], about("The jobs on the way, by node id.")]


class AffectedNodeAnswer(AnswerStruct):
    """A dataset with such columns, or a job that makes such columns."""

    id: str
    namespace: str
    name: str
    distance: _Distance
    direct: _Direct


class ImpactAnswer(AnswerStruct):
    """The columns, datasets and jobs that depend on a column, the nearest first."""

    column: ImpactingColumnAnswer
    columns: list[AffectedColumnAnswer]
    datasets: list[AffectedNodeAnswer]
    jobs: list[AffectedNodeAnswer]
    truncated: bool


C = TypeVar("C", bound=ImpactingColumnAnswer)


def impact_answer(impact: Impact, inherit: bool) -> ImpactAnswer:
    """Return all that depends on a column."""
    return ImpactAnswer(
        column=_column(ImpactingColumnAnswer, impact.dataset, impact.column),
        columns=[_affected(one, inherit) for one in impact.columns],
        datasets=[_dataset(one) for one in impact.datasets],
        jobs=[_job(one, inherit) for one in impact.jobs],
        truncated=impact.cut,
    )


def _affected(one: AffectedColumn, inherit: bool) -> AffectedColumnAnswer:
    path = [_job_id(job, inherit) for job in one.path]
    return _column(
        AffectedColumnAnswer,
        one.dataset,
        one.column,
        distance=one.distance,
        direct=one.direct,
        path=path,
    )


def _column(kind: type[C], dataset: DatasetRow, column: ColumnRow, **more: Any) -> C:
    return kind(
        id=f"datasetField:{dataset.namespace}:{dataset.name}:{column.name}",
        namespace=dataset.namespace,
        dataset=dataset.name,
        field=column.name,
        field_type=column.type,
        **more,
    )


def _dataset(one: AffectedDataset) -> AffectedNodeAnswer:
    namespace, name = one.dataset.namespace, one.dataset.name
    return AffectedNodeAnswer(
        f"dataset:{namespace}:{name}", namespace, name, one.distance, one.direct
    )


def _job(one: AffectedJob, inherit: bool) -> AffectedNodeAnswer:
    return AffectedNodeAnswer(
        _job_id(one.job, inherit),
        _namespace(one.job, inherit),
        one.job.name,
        one.distance,
        one.direct,
    )


def _job_id(job: JobRow, inherit: bool) -> str:
    return f"job:{_namespace(job, inherit)}:{job.name}"


def _namespace(job: JobRow, inherit: bool) -> str:
    top = job.ancestors[0].namespace if job.ancestors else job.namespace
    return served_namespace(job.namespace, top, inherit)
