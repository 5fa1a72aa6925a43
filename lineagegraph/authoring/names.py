"""Which names pipelines and tasks may have."""

from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError

LONGEST = 200


def checked_name(name: object, what: str, origin: Origin) -> str:
    """Return the name of a pipeline, group or task; raise `DefinitionError` for an unfit one."""
    if not isinstance(name, str):
        raise DefinitionError(f"{origin}: the name of a {what} must be text, not {name!r}")
    fault = _fault(name)
    if fault:
        raise DefinitionError(f"{origin}: {what} name {name[:60]!r} {fault}")
    return name


def _fault(name: str) -> str | None:
    if not name or name != name.strip():
        return "is empty or has spaces around it"
    if not name.isprintable():
        return "has control characters"
    if len(name) > LONGEST:
        return f"is longer than {LONGEST} characters"
    return None
