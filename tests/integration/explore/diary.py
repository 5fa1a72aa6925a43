"""Runs at minutes of days, told by events as producers send them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from lineagegraph.graph import Graph
from lineagegraph.ingest.extract import extract
from lineagegraph.model.runs.ids import new_id
from lineagegraph.reactions.commit import commit
from tests.events import run_event

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
TUESDAY = MONDAY + timedelta(days=1)


@dataclass
class Diary:
    """What ran."""

    graph: Graph

    def ran(
        self,
        job: str,
        began: float,
        ended: float,
        *,
        reads: Sequence[str] = (),
        writes: Sequence[str] = (),
        day: datetime = MONDAY,
        state: str = "COMPLETE",
        parent: tuple[str, str] | None = None,
        rows: int | None = None,
        facets: dict[str, Any] | None = None,
        error: str | None = None,
        after: tuple[str, str] | None = None,
        nominal: datetime | None = None,
    ) -> str:
        """Tell of a run from one minute of a day to another, and return its id.

        `after` is the id and job of a run that it depends on, `nominal` the start of its interval.
        """
        run = new_id()
        rest: dict[str, Any] = {"run_id": run, "parent": parent}
        start = run_event(job, "START", at=day + timedelta(minutes=began), **rest)
        end = run_event(
            job,
            "FAIL" if error else state,
            at=day + timedelta(minutes=ended),
            inputs=tuple(("lake", name) for name in reads),
            outputs=tuple(("lake", name) for name in writes),
            **rest,
        )
        for output in end["outputs"] if rows is not None else ():
            output["outputFacets"] = {"outputStatistics": {"rowCount": rows}}
        end["run"]["facets"] |= _run_facets(error, after)
        if nominal:
            end["run"]["facets"]["nominalTime"] = {"nominalStartTime": nominal.isoformat()}
        end["job"]["facets"] |= facets or {}
        self.graph.write(commit, extract([start, end]))
        return run


def _run_facets(error: str | None, after: tuple[str, str] | None) -> dict[str, Any]:
    facets: dict[str, Any] = {}
    if error:
        facets["errorMessage"] = {"message": error, "programmingLanguage": "JAVA"}
    if after:
        run, job = after
        first = {"run": {"runId": run}, "job": {"namespace": "default", "name": job}}
        facets["jobDependencies"] = {"upstream": [first]}
    return facets
