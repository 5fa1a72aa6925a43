"""Read a batch from its JSON file."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lineagegraph.authoring.batch_files.functions import read_function
from lineagegraph.authoring.batch_files.node import JsonNode, entries, plain, text, texts
from lineagegraph.authoring.batch_files.scanner import scan
from lineagegraph.authoring.batch_files.tasks import read_tasks
from lineagegraph.authoring.batch_files.terms import HOURS, duration_of, own_terms
from lineagegraph.authoring.batch_tasks import spark_settings
from lineagegraph.authoring.batches import cron_of, listed_clusters
from lineagegraph.authoring.checked_values import checked_name, seconds
from lineagegraph.authoring.pipeline_options import PipelineOptions, param
from lineagegraph.authoring.pipelines import PipelineHandle, state_pipeline
from lineagegraph.authoring.resolve_tasks import BatchTerms
from lineagegraph.authoring.terms import checked_zone, one_of
from lineagegraph.errors import InvalidRule
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.pipelines.definition import Cluster
from lineagegraph.model.pipelines.parameters import PYTHON_TYPES
from lineagegraph.model.triggers.condition import OnCron, OnInterval
from lineagegraph.model.triggers.trigger import CatchUp, Overlap, Trigger
from lineagegraph.model.triggers.trigger_json import decode_trigger

_SPARK = ("master", "conf")


def read_spark(members: Mapping[str, JsonNode]) -> dict[str, str] | None:
    """Return the configuration of the batch's own application."""
    if "spark" not in members:
        return None
    return _settings(members["spark"].members(_SPARK))


def read_clusters(members: Mapping[str, JsonNode]) -> tuple[Cluster, ...]:
    """Return the batch's own cluster and those with a name."""
    own = _cluster("", members["cluster"]) if "cluster" in members else None
    if "clusters" not in members:
        return (own,) if own else ()
    node = members["clusters"]
    named = [
        _cluster(checked_name(name, "cluster", one.origin), one)
        for name, one in node.entries().items()
    ]
    return listed_clusters(own, named, node.origin)


def _cluster(name: str, node: JsonNode) -> Cluster:
    members = node.members((*_SPARK, "create", "destroy"))
    return Cluster(
        name=name,
        spark=_settings(members),
        create=_program(members.get("create")),
        destroy=_program(members.get("destroy")),
    )


def _settings(members: Mapping[str, JsonNode]) -> dict[str, str]:
    where = next(iter(members.values()), None)
    if where is None:
        return {}
    return spark_settings(text(members, "master"), entries(members, "conf"), where.origin)


def _program(node: JsonNode | None) -> tuple[str, ...] | str | None:
    if node is None:
        return None
    if isinstance(node.value, str):
        return ":".join(read_function(node)[:2])
    words = tuple(node.texts())
    if not words:
        raise node.fault("is empty")
    return words


def read_parameters(members: Mapping[str, JsonNode]) -> dict[str, Any]:
    """Return the declarations in `params`: a default, or a `type` with or without one."""
    if "params" not in members:
        return {}
    return {name: _declared(node) for name, node in members["params"].entries().items()}


def _declared(node: JsonNode) -> Any:
    if node.value is None:
        raise node.fault('null has no type: write {"type": …, "default": null}')
    if not isinstance(node.value, dict) or "type" not in node.value:
        return node.plain()
    members = node.members(("type", "default"))
    name = members["type"].text()
    if name not in PYTHON_TYPES:
        raise members["type"].fault(f"{name!r} is not a type{did_you_mean(name, PYTHON_TYPES)}")
    if "default" not in members:
        return param(PYTHON_TYPES[name])
    return param(PYTHON_TYPES[name], default=members["default"].plain())


SCHEDULE = ("cron", "every", "zone", "name", "overlap", "catchUp")


def read_starts(members: Mapping[str, JsonNode], zone: str | None) -> tuple[Trigger, ...]:
    """Return the triggers of a batch; its zone holds for cron expressions without one."""
    return (
        *(_scheduled(one, zone) for one in _each(members, "schedule")),
        *(_trigger(one) for one in _each(members, "trigger")),
    )


def _each(members: Mapping[str, JsonNode], key: str) -> Iterator[JsonNode]:
    if key in members:
        node = members[key]
        yield from node.items() if isinstance(node.value, list) else [node]


def _scheduled(node: JsonNode, zone: str | None) -> Trigger:
    if isinstance(node.value, str):
        return Trigger(when=cron_of(node.text(), zone, node.origin))
    members = node.members(SCHEDULE)
    overlap, catch_up = members.get("overlap"), members.get("catchUp")
    return Trigger(
        when=_times(node, members, zone),
        name=text(members, "name"),
        overlap=one_of(Overlap, overlap.text(), "overlap", overlap.origin)
        if overlap
        else Overlap.ALLOW,
        catch_up=one_of(CatchUp, catch_up.text(), "catchUp", catch_up.origin)
        if catch_up
        else CatchUp.LAST,
    )


def _times(
    node: JsonNode, members: Mapping[str, JsonNode], zone: str | None
) -> OnCron | OnInterval:
    if ("cron" in members) == ("every" in members):
        raise node.fault("needs either `cron` or `every`")
    if "every" in members:
        every = members["every"]
        return OnInterval(seconds=seconds(duration_of(every), "every", every.origin))
    place, cron = members.get("zone"), members["cron"]
    own = checked_zone(place.text(), place.origin) if place else zone
    return cron_of(cron.text(), own, cron.origin)


def _trigger(node: JsonNode) -> Trigger:
    """Read a trigger; a condition alone becomes one."""
    stated = node.entries()
    plain = node.plain()
    try:
        return decode_trigger(plain if "when" in stated else {"when": plain})
    except InvalidRule as error:
        raise node.fault(str(error)) from None


_OWN = ("freshness", HOURS)
BATCH = (
    *("batch", "tasks", "namespace", "description", "params", "partitionBy", "concurrency"),
    *("spark", "cluster", "clusters", "schedule", "trigger", "zone", "startDate", "endDate"),
    *("rerun", *_OWN),
)


def state_batch(file: Path) -> PipelineHandle:
    """State the batch of a file; raise `DefinitionError` with the place of an error."""
    top = scan(file.read_bytes(), str(file))
    members = top.members(BATCH)
    for key in ("batch", "tasks"):
        if key not in members:
            raise top.fault(f"a batch file has a key {key!r}, which is missing here")
    own = {key: members[key] for key in _OWN if key in members}
    zone = checked_zone(text(members, "zone"), members.get("zone", top).origin)
    options = PipelineOptions(
        params=read_parameters(members),
        partition_by=texts(members, "partitionBy"),
        spark=read_spark(members),
        namespace=text(members, "namespace"),
        concurrency=plain(members, "concurrency", 4),
        description=text(members, "description"),
        start_date=text(members, "startDate"),
        end_date=text(members, "endDate"),
        rerun=text(members, "rerun"),
    )
    return state_pipeline(
        top.located(members),
        checked_name(members["batch"].text(), "batch", members["batch"].origin),
        read_tasks(members["tasks"]),
        options,
        triggers=read_starts(members, zone),
        batch=BatchTerms(own_terms(own), zone, read_clusters(members)),
    )
