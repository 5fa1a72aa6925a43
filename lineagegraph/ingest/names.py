"""Namespaces and names as events give them, checked."""

from typing import Any
from uuid import UUID

from lineagegraph.errors import InvalidEvent

# Neo4j indexes texts of up to 8 kB, and an FQN has the names of all ancestors.
MAX_NAME_BYTES = 2000


def check_name(namespace: Any, name: Any, path: str = "$.job") -> list[str]:
    """Return a namespace and a name; raise `InvalidEvent` unless both are short texts."""
    for part, value in (("namespace", namespace), ("name", name)):
        if not isinstance(value, str) or not value:
            raise InvalidEvent("expected text that is not empty", f"{path}.{part}")
        if len(value.encode()) > MAX_NAME_BYTES:
            raise InvalidEvent(f"longer than {MAX_NAME_BYTES} bytes in UTF-8", f"{path}.{part}")
    return [namespace, name]


def is_name(value: Any) -> bool:
    """Return whether a value is a text that can be a namespace or a name."""
    return isinstance(value, str) and 0 < len(value.encode()) <= MAX_NAME_BYTES


def check_reference(facet: Any, path: str) -> tuple[str, list[str]]:
    """Return the run id, and the namespace and name of the job, that a facet refers to."""
    try:
        run_id = str(UUID(facet["run"]["runId"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InvalidEvent("expected the UUID of a run", f"{path}.run.runId") from None
    try:
        namespace, name = facet["job"]["namespace"], facet["job"]["name"]
    except (KeyError, TypeError):
        raise InvalidEvent("expected the namespace and name of a job", f"{path}.job") from None
    return run_id, check_name(namespace, name, f"{path}.job")


def find_reference(facet: Any) -> tuple[str, list[str]] | None:
    """Return a reference as `check_reference` does; None for an invalid one."""
    try:
        return check_reference(facet, "$")
    except InvalidEvent:
        return None
