"""What may start a pipeline; `&` and `|` join conditions."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from lineagegraph.definitions.declared import declared
from lineagegraph.definitions.names import checked_name
from lineagegraph.definitions.origin import Origin, caller
from lineagegraph.definitions.pipelines import PipelineHandle
from lineagegraph.errors import DefinitionError
from lineagegraph.model.condition import OnCron, OnDataset, OnStatus
from lineagegraph.model.states import FIRING, RunState

Job = str | PipelineHandle


def success(job: Job) -> OnStatus:
    """A run of the job COMPLETED."""
    return _status(job, (RunState.COMPLETED,), caller())


def failure(job: Job) -> OnStatus:
    """A run of the job FAILED."""
    return _status(job, (RunState.FAILED,), caller())


def killed(job: Job) -> OnStatus:
    """A run of the job was KILLED."""
    return _status(job, (RunState.KILLED,), caller())


def status(job: Job, *statuses: RunState | str) -> OnStatus:
    """A run of the job reached one of the states COMPLETED, FAILED and KILLED."""
    origin = caller()
    if not statuses:
        raise DefinitionError(f"{origin}: on.status needs one of {', '.join(FIRING)}")
    return _status(job, tuple(_firing(one, origin) for one in statuses), origin)


def dataset(namespace: str, name: str) -> OnDataset:
    """A new version of the dataset was written."""
    origin = caller()
    for part, value in (("namespace", namespace), ("name", name)):
        if not isinstance(value, str) or not value:
            raise DefinitionError(f"{origin}: a dataset's {part} must be text, not {value!r}")
    return OnDataset(namespace=namespace, name=name)


def cron(expression: str, *, zone: str | None = None) -> OnCron:
    """A time of a cron expression came: minute, hour, day of month, month, day of week.

    Without a zone it is the installation's.
    """
    origin = caller()
    where = zone or declared().zone
    _check_cron(expression, origin)
    _check_zone(where, origin)
    return OnCron(cron=" ".join(expression.split()), zone=where)


def _status(job: Job, statuses: tuple[RunState, ...], origin: Origin) -> OnStatus:
    if isinstance(job, PipelineHandle):
        return OnStatus(job=job.name, statuses=statuses, namespace=job.namespace)
    return OnStatus(job=checked_name(job, "job", origin), statuses=statuses)


def _firing(status: RunState | str, origin: Origin) -> RunState:
    state = next((state for state in RunState if state == status), None)
    if state in FIRING:
        return RunState(state)
    why = "is no state of a run" if state is None else "is no end that can start something"
    raise DefinitionError(f"{origin}: {status!s} {why}: use {', '.join(FIRING)}")


def _check_cron(expression: object, origin: Origin) -> None:
    if not isinstance(expression, str) or len(expression.split()) != 5:
        raise DefinitionError(
            f"{origin}: cron {expression!r} must have five fields: "
            "minute, hour, day of month, month, day of week"
        )
    try:
        next(CronSim(expression, datetime.now(UTC)))
    except CronSimError as error:
        raise DefinitionError(f"{origin}: cron {expression!r}: {error}") from None
    except StopIteration:
        raise DefinitionError(f"{origin}: cron {expression!r} never comes") from None


def _check_zone(zone: str, origin: Origin) -> None:
    try:
        ZoneInfo(zone)
    except (KeyError, OSError, ValueError, TypeError):
        raise DefinitionError(
            f"{origin}: {zone!r} is no time zone: use a name such as Europe/Berlin"
        ) from None
