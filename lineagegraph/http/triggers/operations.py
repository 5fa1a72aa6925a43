"""The operations on triggers."""

from datetime import datetime
from typing import Annotated, Any

import msgspec

from lineagegraph.http.pipeline_runs.answers import StartedRunAnswer
from lineagegraph.http.pipeline_runs.bodies import IDEMPOTENCY_KEY, START_CONFLICT
from lineagegraph.http.plumbing.answers import about
from lineagegraph.http.plumbing.operations import (
    ApiParameter,
    Body,
    Reply,
    get,
    in_path,
    listing,
    post,
    tagged,
)
from lineagegraph.http.triggers.answers import (
    FiringAnswer,
    PreviewAnswer,
    RedrivenAnswer,
    TriggerAnswer,
    TriggerDetailAnswer,
    WhyAnswer,
)

MOST_DAYS = 90


class FireBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The parameters of the run."""

    params: Annotated[dict[str, Any], about("Values of parameters, by name.")] = {}
    consume: Annotated[bool, about("Consume the trigger's pending occurrences.")] = False


class RedriveBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The firings to redrive."""

    keys: Annotated[tuple[str, ...], about("Keys of firings; empty for all dead letters.")] = ()


_ALL = "/api/v1/triggers"
_ONE = f"{_ALL}/{{trigger}}"
_NAME = in_path(
    "trigger",
    Annotated[str, msgspec.Meta(min_length=1, max_length=2000)],
    "nightly",
    "Id or name of a trigger, or the only one that starts this job.",
)
_DETAIL = Reply("The trigger as it is now.", TriggerDetailAnswer)
OPERATIONS = tagged(
    "triggers",
    get(
        _ALL,
        "getTriggers",
        "The triggers, by the job that each starts.",
        listing("triggers", TriggerAnswer, "Triggers."),
        ApiParameter("namespace", str, "default", "Only triggers that start jobs of this one."),
    ),
    get(_ONE, "getTrigger", "A trigger with its rule.", _DETAIL, _NAME),
    get(
        f"{_ONE}/why",
        "getTriggerWhy",
        "Why a trigger has fired, or what is missing.",
        Reply("The explanation.", WhyAnswer),
        _NAME,
        ApiParameter(
            "at",
            datetime,
            "2026-03-02T06:00:00Z",
            "As it stood then, with what had expired by then; now without it.",
        ),
    ),
    get(
        f"{_ONE}/firings",
        "getTriggerFirings",
        "The firings of a trigger.",
        listing("firings", FiringAnswer, "Firings, the newest first."),
        _NAME,
    ),
    get(
        f"{_ONE}/preview",
        "getTriggerPreview",
        "When a trigger would have fired in the past days.",
        Reply("The preview.", PreviewAnswer),
        _NAME,
        ApiParameter(
            "days", Annotated[int, msgspec.Meta(ge=1, le=MOST_DAYS)], 7, "Past days.", default=7
        ),
        ApiParameter(
            "limit", Annotated[int, msgspec.Meta(ge=0, le=10_000)], 20, "Firings.", default=100
        ),
    ),
    post(
        f"{_ONE}/fire",
        "fireTrigger",
        "Start a trigger's job now, whatever its condition.",
        Reply("The run is queued.", StartedRunAnswer, 201),
        _NAME,
        IDEMPOTENCY_KEY,
        body=Body(FireBody, {"params": {}, "consume": True}, required=False),
        also=(Reply("The same request fired it before.", StartedRunAnswer), START_CONFLICT),
    ),
    post(
        f"{_ONE}/redrive",
        "redriveTrigger",
        "Start the runs of dead letters, after their cause is repaired.",
        Reply("The runs that are queued.", RedrivenAnswer),
        _NAME,
        body=Body(RedriveBody, {"keys": []}, required=False),
    ),
    post(
        f"{_ONE}/enable",
        "enableTrigger",
        "Let a trigger fire on what happens from now on.",
        _DETAIL,
        _NAME,
    ),
    post(
        f"{_ONE}/disable",
        "disableTrigger",
        "Suspend a trigger: what happens meanwhile never fires it.",
        _DETAIL,
        _NAME,
    ),
)
