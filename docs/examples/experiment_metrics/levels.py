"""One run of a job, and what its facets say of both."""

from dataclasses import dataclass
from datetime import UTC
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from docs.examples.experiment_metrics.facets import PRODUCER, facet
from docs.examples.experiment_metrics.periods import Period
from docs.examples.experiment_metrics.story import CODE, REASON

_SPEC = "https://openlineage.io/spec"
_FACETS = f"{_SPEC}/facets"
_INTEGRATIONS = {"DAG": "AIRFLOW", "TASK": "AIRFLOW", "APPLICATION": "SPARK", "SQL_JOB": "SPARK"}
_REPOSITORY = "https://git.example.com/experiments"


@dataclass(frozen=True)
class Level:
    """One run in the line from a workflow down to a Spark action, with the runs above it."""

    kind: str
    name: str
    about: str
    period: Period
    above: tuple["Level", ...] = ()

    @property
    def namespace(self) -> str:
        return "experimentation" if _INTEGRATIONS[self.kind] == "AIRFLOW" else "spark"

    @property
    def run_id(self) -> str:
        """The id of the run: the same one whenever the same events are made."""
        line = [*(level.name for level in self.above), self.name]
        start = self.period.start.astimezone(UTC).isoformat()
        return str(uuid5(NAMESPACE_URL, "/".join([PRODUCER, self.period.region, start, *line])))


def run_facets(kind: str, level: Level) -> dict[str, Any]:
    """Return what an event of some type says of a run."""
    period = level.period
    nominal = {
        "nominalStartTime": period.start.isoformat(),
        "nominalEndTime": period.end.isoformat(),
    }
    own = facet(f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunFacet")
    facets = {
        "nominalTime": facet(f"{_FACETS}/1-0-1/NominalTimeRunFacet.json", **nominal),
        "lineagegraph": own | {"partition": {"region": period.region}},
    }
    if level.above:
        root = {"root": _reference(level.above[0])}
        parent = _reference(level.above[-1]) | root
        facets["parent"] = facet(f"{_FACETS}/1-2-0/ParentRunFacet.json", **parent)
    if kind == "FAIL":
        said = {"message": REASON, "programmingLanguage": "SCALA"}
        facets["errorMessage"] = facet(f"{_FACETS}/1-0-1/ErrorMessageRunFacet.json", **said)
    return facets


def _reference(level: Level) -> dict[str, Any]:
    job = {"namespace": level.namespace, "name": level.name}
    return {"run": {"runId": level.run_id}, "job": job}


def job_facets(level: Level) -> dict[str, Any]:
    """Return what an event says of a job."""
    kind = {
        "jobType": level.kind,
        "integration": _INTEGRATIONS[level.kind],
        "processingType": "BATCH",
    }
    return {
        "jobType": facet(f"{_FACETS}/2-0-4/JobTypeJobFacet.json", **kind),
        "documentation": facet(
            f"{_FACETS}/1-1-0/DocumentationJobFacet.json", description=level.about
        ),
        "sourceCodeLocation": facet(
            f"{_FACETS}/1-1-0/SourceCodeLocationJobFacet.json", **_code(level)
        ),
    }


def _code(level: Level) -> dict[str, str]:
    """Return where the code is: an application's under its own name, whatever workflow runs it."""
    version = max((day for day in CODE if day <= level.period.day), default=min(CODE))
    file = f"{level.name.partition('.')[0]}.py"
    place = {"type": "git", "repoUrl": _REPOSITORY, "path": file, "version": CODE[version]}
    return place | {"url": f"{_REPOSITORY}/blob/{CODE[version]}/{file}"}
