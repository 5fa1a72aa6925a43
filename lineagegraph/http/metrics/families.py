"""Numbers as families of metrics."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from lineagegraph.http.ingest.counts import IngestCounts
from lineagegraph.model.freshness.standing import FreshState
from lineagegraph.model.names.ticks import Beat
from lineagegraph.queries.freshness.freshness import Standing
from lineagegraph.queries.jobs.stats import Numbers
from lineagegraph.store.admin.metrics import Sensing
from lineagegraph.store.admin.processes import SensingProcess
from lineagegraph.text import visible

K = TypeVar("K", bound=tuple[str, ...])
# Of which the guard, the limits and the room for bodies keep count.
_REASONS = (
    "host",
    "origin",
    "content_type",
    "requests",
    "events",
    "streams",
    "bodies",
    "body_seconds",
)
_WORST = [FreshState.STALE, FreshState.UNKNOWN, FreshState.DUE, FreshState.FRESH]


def graph_families(numbers: Numbers) -> Iterator[Metric]:
    """Return metrics of the graph: runs, waits, events and outgoing messages."""
    states = {(one.state.value,): one.runs for one in numbers.states}
    yield gauge("runs", "Runs by state.", states, ["state"])
    work = numbers.work
    yield gauge("runs_queued", "Runs that wait for a worker.", {(): work.queued})
    waited = _since(work.now, work.queued_since)
    yield gauge(
        "runs_queued_oldest_seconds", "Waiting time of the oldest queued run.", {(): waited}
    )
    yield gauge("runs_claimed", "Runs that have a worker.", {(): work.claimed})
    yield gauge(
        "waits", "What runs of tasks wait for: parents, or their own turn.", {(): work.waits}
    )
    yield gauge("leases", "Tasks of batches that are being executed.", {(): work.leases})
    slots = {(one.name,): one.slots for one in numbers.pools}
    yield gauge("pool_slots", "Slots of a pool.", slots, ["pool"])
    taken = {(one.name,): one.taken for one in numbers.pools}
    yield gauge("pool_slots_taken", "Slots that running tasks hold.", taken, ["pool"])
    waiting = {(one.name,): one.waiting for one in numbers.pools}
    yield gauge("pool_tasks_waiting", "Tasks that wait for slots.", waiting, ["pool"])
    yield gauge("events", "Events in the graph.", {(): work.events})
    waiting = {(one.channel,): one.waiting for one in numbers.untold}
    yield gauge("notifications_waiting", "Notifications not sent yet.", waiting, ["channel"])
    behind = {(one.name,): one.waiting for one in numbers.targets}
    yield gauge("forwards_waiting", "Events not forwarded yet.", behind, ["target"])
    scores = {(one.namespace, one.name): one.completeness for one in numbers.incomplete}
    about = "Share of the newest run's lineage that was understood, of jobs with less than all."
    yield gauge("lineage_completeness", about, scores, ["namespace", "name"])


def sensor_families(sensing: Sensing, processes: Sequence[SensingProcess]) -> Iterator[Metric]:
    """Return metrics of sensors and of each sensor process."""
    yield gauge("sensors", "Distinct sensors.", {(): sensing.sensors})
    yield gauge("sensors_failing", "Sensors whose last poke failed.", {(): sensing.failing})
    about = "Exclusive sensors, which each run polls itself."
    yield gauge("sensors_exclusive", about, {(): sensing.exclusive})
    yield gauge("sensor_waits", "Runs that wait for a sensor.", {(): sensing.waits})
    ratio = sensing.waits / sensing.waited_for if sensing.waited_for else 0.0
    yield gauge("sensor_dedup_ratio", "Waits for each sensor.", {(): ratio})
    named = [((f"{one.host}:{one.pid}",), one) for one in processes]
    labels = ["process"]
    shards = {key: one.shards for key, one in named}
    yield gauge("sensor_shards", "Shards that a process holds.", shards, labels)
    watched = {key: one.watched for key, one in named}
    yield gauge("sensor_watched", "Sensors that the process polls.", watched, labels)
    pokes = {key: one.pokes for key, one in named}
    yield counter("sensor_pokes", "Pokes of the process.", pokes, labels)
    failed = {key: one.errors for key, one in named}
    yield counter("sensor_poke_errors", "Pokes without an answer.", failed, labels)
    lags = {key: one.lag_seconds for key, one in named}
    about = "Delay of pokes after their due time, 95th percentile of five minutes."
    yield gauge("sensor_lag_seconds", about, lags, labels)
    rounds = {key: one.round_seconds for key, one in named}
    about = "Longest time to answer all pokes that were due together, in five minutes."
    yield gauge("sensor_round_seconds", about, rounds, labels)


def freshness_families(standings: Sequence[Standing], most: int) -> Iterator[Metric]:
    """Return how fresh things are: their numbers, and each of the worst so many."""
    counts = dict.fromkeys(((state.value,) for state in FreshState), 0)
    for one in standings:
        counts[one.state.value,] += 1
    about = "Jobs and datasets with terms of freshness, by state."
    yield gauge("freshness_nodes", about, counts, ["state"])
    worst = sorted(standings, key=lambda one: (_WORST.index(one.state), one.node))[:most]
    labels = ["type", "namespace", "name"]
    states = {(*_labels(one), one.state.value): 1 for one in worst}
    yield gauge("freshness_state", "1 for the state that it is in.", states, [*labels, "state"])
    ages = {_labels(one): one.judged.age for one in worst if one.judged.age is not None}
    yield gauge("freshness_age_seconds", "Time since its latest success.", ages, labels)
    left_out = len(standings) - len(worst)
    about = "Jobs and datasets that the setting metrics_nodes leaves out."
    yield gauge("freshness_nodes_left_out", about, {(): left_out})


def ingest_families(counts: IngestCounts) -> Iterator[Metric]:
    """Return metrics of the events that came to this server."""
    outcomes = {("written",): counts.written, ("refused",): counts.refused}
    outcomes[("spooled",)] = counts.spooled
    yield counter("events_received", "Events by outcome.", outcomes, ["outcome"])
    about = "Bytes of events on disk until Neo4j is back."
    yield gauge("spool_bytes", about, {(): counts.spool_bytes})


def refused_family(refused: Mapping[str, int]) -> Metric:
    """Return how many requests were refused before they were read, or while they were."""
    values = {(reason,): refused.get(reason, 0) for reason in _REASONS}
    return counter("requests_refused", "Requests refused, by reason.", values, ["reason"])


def daemon_families(beats: Iterable[Beat]) -> Iterator[Metric]:
    """Return metrics of this process's daemon."""
    steps = list(beats)
    done = {(one.step,): one.done for one in steps}
    yield counter("daemon_steps", "Steps of the daemon.", done, ["step"])
    failed = {(one.step,): one.failed for one in steps}
    yield counter("daemon_step_failures", "Failed steps of the daemon.", failed, ["step"])
    seconds = {(one.step,): one.seconds for one in steps}
    yield counter("daemon_step_seconds", "Duration of the daemon's steps.", seconds, ["step"])


def gauge(name: str, about: str, values: Mapping[K, float], labels: Sequence[str] = ()) -> Metric:
    """Return a gauge: a value for each combination of labels."""
    family = GaugeMetricFamily(f"lineagegraph_{name}", about, labels=labels)
    for combination, value in values.items():
        family.add_metric([visible(label) for label in combination], value)
    return family


def counter(name: str, about: str, values: Mapping[K, float], labels: Sequence[str] = ()) -> Metric:
    """Return a counter, likewise."""
    family = CounterMetricFamily(f"lineagegraph_{name}", about, labels=labels)
    for combination, value in values.items():
        family.add_metric([visible(label) for label in combination], value)
    return family


def _labels(one: Standing) -> tuple[str, ...]:
    return "job" if one.about.is_job else "dataset", one.about.namespace, one.about.name


def _since(now: datetime, since: datetime | None) -> float:
    return max(0.0, (now - since).total_seconds()) if since else 0.0
