"""Column lineage that no event has reported for long, as an answer."""

from typing import Annotated

from lineagegraph.http.plumbing.answers import AnswerStruct, Timestamp, about
from lineagegraph.store.lineage.lineage import UnusedDerivation


class UnusedColumnAnswer(AnswerStruct):
    """A column and one that it was made from."""

    id: Annotated[str, about("Node id: datasetField:NAMESPACE:DATASET:FIELD.")]
    origin: Annotated[str, about("Node id of the column that it was made from.")]
    job: Annotated[str, about("FQN of the job that made it.")]
    type: Annotated[str, about("DIRECT or INDIRECT.")]
    subtype: Annotated[str | None, about("Kind of the transformation; null if not reported.")]
    first_seen: Annotated[Timestamp, about("Time of the first report.")]
    last_seen: Annotated[Timestamp, about("Time of the last report.")]


def unused_column_answer(row: UnusedDerivation) -> UnusedColumnAnswer:
    """Return a column and its origin."""
    return UnusedColumnAnswer(
        id=f"datasetField:{row.namespace}:{row.dataset}:{row.field}",
        origin=f"datasetField:{row.source_namespace}:{row.source_dataset}:{row.source_field}",
        job=row.job,
        type=row.type,
        subtype=row.subtype or None,
        first_seen=row.first_seen,
        last_seen=row.last_seen,
    )
