"""The triggers: their state, and the form that creates, changes and previews them."""

from collections import Counter
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.liveness.daemons import nudge_daemons
from lineagegraph.model.triggers.trigger_json import decode_trigger
from lineagegraph.queries.find.find import describe_job_deletion
from lineagegraph.queries.jobs.emits import find_pipelines, read_parameters, read_payload_names
from lineagegraph.queries.jobs.pages import Cut
from lineagegraph.queries.search.search import HitKind, find_nearest
from lineagegraph.queries.triggers.describe_why import describe_refused, describe_standings
from lineagegraph.queries.triggers.schedules import read_next
from lineagegraph.queries.triggers.triggers import find_trigger, page_triggers
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.runs.queue import queue_run, read_values, request_firing
from lineagegraph.sensors import known_kinds
from lineagegraph.sensors.registry import find_kind
from lineagegraph.store.triggers.catalog import TriggerRow, WholeTriggerRow
from lineagegraph.text import format_local
from lineagegraph.triggers.by_hand import find_redrivable, redrive
from lineagegraph.triggers.confine import confine_sensors
from lineagegraph.triggers.edit import (
    DEFINITION,
    definition_location,
    edit_trigger,
    remove_trigger,
    rule_hash,
)
from lineagegraph.triggers.preview.preview import preview_trigger
from lineagegraph.triggers.write import enable_trigger
from lineagegraph.views.pausing import PausingView
from lineagegraph.views.starting import StartingView
from lineagegraph.views.trigger_rows import (
    Row,
    firing_row,
    preview_row,
    trigger_row,
    waiting_row,
)

_FOUND = 20
_MOST = 1000
_ALL = 2**31 - 1
_BY_VALUE = "python"  # its function comes from a file


class TriggerList(msgspec.Struct, frozen=True):
    """The first triggers with a text, how many with it are left out, and the number of all."""

    rows: list[Row]
    left_out: int
    total: int


class TriggerPanelView(StartingView, PausingView):
    """All triggers, and the form that creates and changes them."""

    acts = PausingView.acts | {"enable", "delete", "fire", "redrive", "save"}

    def answer_list(self, text: str = "") -> TriggerList:
        """Return the first triggers with a text in name, job or condition, by job."""
        known = page_triggers(self._graph, None, Cut(_MOST if not text else _ALL))
        found = [one for one in known.items if text.lower() in _words_of(one)]
        is_whole = len(known.items) == known.total
        count = Counter(one.name for one in known.items)
        rows = [
            trigger_row(one, self._zone, is_only=is_whole and count[one.name] == 1)
            for one in found[:_MOST]
        ]
        left_out = len(found) - len(rows) if text else known.total - len(rows)
        return TriggerList(rows, left_out, known.total)

    def answer_show(self, name: str) -> Row:
        """Return one trigger: why it fired or not, its next times and its rule."""
        why = read_why(self._graph, name)
        trigger, firings = why.trigger.trigger, why.trigger.firings
        times = sorted(
            (at, one.schedule) for one in read_next(self._graph, trigger.id) for at in one.times
        )
        return {
            **trigger_row(trigger, self._zone, is_only=True),
            "namespace": trigger.namespace,
            "description": trigger.description,
            "deleted": describe_job_deletion(
                self._graph, trigger.job_key or "", trigger.starts or ""
            ),
            "job_key": trigger.job_key,
            "suspended_at": trigger.suspended_at and format_local(trigger.suspended_at, self._zone),
            "suspended_because": trigger.suspended_because,
            "stated": self._stated(trigger),
            "rule": trigger.rule and msgspec.json.decode(trigger.rule),
            "rule_hash": rule_hash(trigger.rule),
            "standings": describe_standings(why, self._zone),
            "waiting": [waiting_row(one, self._zone) for one in why.waiting],
            "refused": [describe_refused(one, self._zone) for one in why.refused],
            "browser": self._browser_link("trigger", trigger.id),
            "dead": sum(one.is_dead for one in why.waiting),
            "next": [f"{format_local(at, self._zone)}  {schedule}" for at, schedule in times[:5]],
            "fired": [firing_row(one, self._zone) for one in firings],
        }

    def answer_enable(self, name: str, enabled: bool) -> str:
        """Enable or suspend a trigger."""
        found = find_trigger(self._graph, name)
        self._graph.write(enable_trigger, trigger_id=found.id, enabled=enabled)
        state = f"{found.name} is {'enabled' if enabled else 'suspended'}"
        return f"{state}: no change" if found.enabled == enabled else state

    def answer_delete(self, name: str, rule_hash: str | None = None) -> str:
        """Delete a trigger that is not part of a definition; its firings stay.

        `rule_hash` is that of the rule that the person saw.
        """
        found = find_trigger(self._graph, name)
        self._graph.write(remove_trigger, found.id, rule_hash)
        return f"{found.name} is deleted"

    def answer_fire(self, name: str, params: list[str], consume: bool) -> str:
        """Start the job of a trigger now, without its condition."""
        found = find_trigger(self._graph, name)
        request = request_firing(found, read_values(params), consume=consume, key=self.key)
        queued = queue_run(self._graph, request)
        self.start(queued.run_id)
        return f"started as run {queued.run_id}"

    def answer_redrive(self, name: str, key: str = "") -> str:
        """Start the run of one dead letter again, or of all."""
        found = find_trigger(self._graph, name)
        keys = self._graph.read(find_redrivable, found.id, [key] if key else ())
        runs = [one.run_id for one in self._graph.write(redrive, keys) if one.run_id is not None]
        nudge_daemons(self._graph)
        for run in runs:
            self.start(run)
        return f"{len(runs)} of {len(keys)} are started"

    def answer_pipelines(self, text: str) -> list[Row]:
        """Return pipelines that a trigger can start, by a part of their names."""
        found = find_pipelines(self._graph, text, _FOUND)
        return [{"namespace": one.namespace, "name": one.name} for one in found]

    def answer_jobs(self, text: str) -> list[Row]:
        """Return jobs that a condition can wait for, by a part of their names."""
        return self._search(HitKind.JOB, text)

    def answer_datasets(self, text: str) -> list[Row]:
        """Return datasets that a condition can wait for, by a part of their names."""
        return self._search(HitKind.DATASET, text)

    def answer_sensors(self) -> Row:
        """Return the kinds of sensors for conditions, and whether each field is required."""
        kinds = [kind for kind in known_kinds() if kind != _BY_VALUE]
        return {
            kind: {field.name: field.required for field in msgspec.structs.fields(find_kind(kind))}
            for kind in kinds
        }

    def answer_payload(self, namespace: str, name: str) -> Row:
        """Return the names that the payload of a job's runs may have."""
        return msgspec.structs.asdict(read_payload_names(self._graph, namespace, name))

    def answer_parameters(self, namespace: str, name: str) -> list[Row]:
        """Return the parameters of a pipeline."""
        key = self._find_job(name, namespace).key
        return [
            msgspec.structs.asdict(parameter) for parameter in read_parameters(self._graph, key)
        ]

    def answer_preview(self, namespace: str, starts: str, rule: Row) -> Row:
        """Return the firings of a rule in a replay of the last week."""
        job = self._find_job(starts, namespace)
        found = self._graph.read(
            preview_trigger,
            decode_trigger(rule),
            starts=job.key,
            namespace=namespace or job.namespace,
        )
        return preview_row(found, self._zone)

    def answer_save(
        self,
        namespace: str,
        starts: str,
        name: str,
        rule: Row,
        is_new: bool,
        enabled: bool,
        rule_hash: str | None = None,
    ) -> str:
        """Create or change a trigger and return its id; `rule_hash` is that of the rule shown."""
        job = self._find_job(starts, namespace)
        return self._graph.write(
            edit_trigger,
            decode_trigger(confine_sensors(rule) if self.confined else rule),
            starts=job.key,
            name=name,
            namespace=namespace or job.namespace,
            is_new=is_new,
            enabled=enabled,
            known_hash=rule_hash,
            token=self.token,
        )

    @property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self._settings.zone)

    def _stated(self, trigger: WholeTriggerRow) -> str | None:
        if trigger.origin != DEFINITION:
            return None
        return self._graph.read(definition_location, trigger.job_key or "")

    def _search(self, kind: HitKind, text: str) -> list[Row]:
        found = find_nearest(self._graph, text, _FOUND, (kind,))
        return [{"namespace": one.namespace, "name": one.name} for one in found]


def _words_of(one: TriggerRow) -> str:
    return " ".join(filter(None, (one.starts, one.name, one.text))).lower()
