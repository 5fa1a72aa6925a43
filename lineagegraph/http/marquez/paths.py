"""Paths of jobs, runs and datasets, and the parameters in them."""

from uuid import UUID

from lineagegraph.http.plumbing.operations import ApiParameter, Name, in_path

_ENCODED = "Percent-encoded; a slash in it is %2F."
NAMESPACES = "/api/v1/namespaces"
ONE_NAMESPACE = f"{NAMESPACES}/{{namespace}}"
JOBS = f"{ONE_NAMESPACE}/jobs"
DATASETS = f"{ONE_NAMESPACE}/datasets"
ONE_DATASET = f"{DATASETS}/{{dataset}}"
ONE_RUN = "/api/v1/jobs/runs/{id}"

NAMESPACE = in_path("namespace", Name, "experimentation", _ENCODED)
DATASET_NAMESPACE = in_path("namespace", Name, "s3://experiments", _ENCODED)
DATASET = in_path("dataset", Name, "aggregate_experiment_metrics", _ENCODED)
SOURCE = in_path("source", Name, "s3://experiments", _ENCODED)
TAG = in_path("tag", Name, "PII", "Percent-encoded; compared as it is written.")
RUN_ID = in_path("id", UUID, "e89e2c7e-ee44-52e9-b375-9012871adf94", "The id of a run.")
JOB = in_path(
    "job",
    Name,
    "daily_experiment_metrics_workflow.calculate_aggregate_experiment_metrics",
    "The FQN, percent-encoded. Own, simple and earlier names lead there.",
)
JOB_UUID = ApiParameter(
    "uuid",
    UUID,
    "b031cfc5-fada-adfd-b470-d7f2ab72069f",
    "Chooses one of several jobs that a name may mean.",
)
# A pipeline with a definition, for the examples of its versions.
PIPELINE = (
    in_path("namespace", str, "default", "The namespace that the job is served in."),
    in_path("job", str, "daily", "The job's full name."),
    ApiParameter("uuid", UUID, "d0e6c4e9-1057-a025-685b-cf3a3e42cfb8", JOB_UUID.about),
)
