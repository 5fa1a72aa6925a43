"""Names and keys of jobs, datasets and fields: pure functions of what was reported."""

from dataclasses import dataclass

from lineagegraph.model.canonical import canonical_hash


@dataclass(frozen=True, slots=True)
class JobName:
    """A job as its parent places it: `name` is its own, `fqn` has all ancestors' names in front."""

    key: str
    namespace: str
    name: str
    simple_name: str
    fqn: str


def name_job(namespace: str, name: str, parent: JobName | None = None) -> JobName:
    """Place a job under its parent: the same name under different parents is different jobs.

    An own name that begins with the parent's FQN or own name and a dot loses that prefix.
    """
    if parent is None:
        return JobName(job_key(None, namespace, name), namespace, name, name, name)
    simple_name = _without_prefix(name, parent)
    return JobName(
        key=job_key(parent.key, namespace, name),
        namespace=namespace,
        name=name,
        simple_name=simple_name,
        fqn=f"{parent.fqn}.{simple_name}",
    )


def job_key(parent_key: str | None, namespace: str, name: str) -> str:
    """Return the key of a job: a hash of its parent's key, its own namespace and its own name."""
    return canonical_hash([parent_key, namespace, name])[:32]


def dataset_key(namespace: str, name: str) -> str:
    """Return the key of a dataset."""
    return canonical_hash([namespace, name])[:32]


def field_key(dataset: str, name: str) -> str:
    """Return the key of a column of the dataset that has the key `dataset`."""
    return canonical_hash([dataset, name])[:32]


def _without_prefix(name: str, parent: JobName) -> str:
    for prefix in (parent.fqn, parent.name):
        if name.startswith(f"{prefix}.") and len(name) > len(prefix) + 1:
            return name[len(prefix) + 1 :]
    return name
