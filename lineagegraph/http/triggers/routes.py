"""The routes of triggers."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.graph import Graph
from lineagegraph.http.access.caller import caller_of, require
from lineagegraph.http.pipeline_runs.answers import answer_started
from lineagegraph.http.pipeline_runs.bodies import idempotency_key
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.operations import routes_of
from lineagegraph.http.plumbing.parameters import path_name, read_cut, time_of, whole_number
from lineagegraph.http.plumbing.raw_route import RawRoute
from lineagegraph.http.plumbing.reads import answer, page_answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.triggers.answers import (
    RedrivenAnswer,
    firing_answer,
    preview_answer,
    trigger_answer,
    trigger_detail,
    why_answer,
)
from lineagegraph.http.triggers.operations import MOST_DAYS, OPERATIONS, FireBody, RedriveBody
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.model.triggers.trigger_json import read_stored
from lineagegraph.queries.jobs.pages import Page
from lineagegraph.queries.triggers.triggers import find_trigger, page_triggers
from lineagegraph.queries.triggers.why import read_why
from lineagegraph.queries.triggers.why_at import read_why_at
from lineagegraph.runs.queue import queue_run, request_firing
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.details import Named
from lineagegraph.store.runs.history import list_firings
from lineagegraph.store.triggers.catalog import WholeTriggerRow
from lineagegraph.triggers.by_hand import find_redrivable, redrive
from lineagegraph.triggers.preview import preview_trigger
from lineagegraph.triggers.truths import evaluate_rule
from lineagegraph.triggers.write import enable_trigger


class ServedTriggers(NamedTuple):
    """Reads and changes triggers; `nudge` is called when there is a run to start."""

    graph: Graph
    nudge: Callable[[], None]

    def list_all(self, request: Request) -> Response:
        """Answer the triggers of a namespace, or of all."""
        namespace = request.query_params.get("namespace")
        require(caller_of(request), Role.READ, namespace or EVERYWHERE)
        page = page_triggers(self.graph, namespace, read_cut(request))
        return page_answer("triggers", page, trigger_answer)

    def get(self, request: Request) -> Response:
        """Answer a trigger with its rule."""
        return answer(trigger_detail(self._find(request, Role.READ)))

    def why(self, request: Request) -> Response:
        """Answer why a trigger has fired, now or at a past time."""
        found, at = self._find(request, Role.READ), time_of(request, "at")
        why = (
            read_why_at(self.graph, found.id, at, evaluate_rule)
            if at
            else read_why(self.graph, found.id)
        )
        return answer(why_answer(why))

    def firings(self, request: Request) -> Response:
        """Answer the firings of a trigger, the newest first."""
        found, cut = self._find(request, Role.READ), read_cut(request)
        most = cut.offset + cut.limit
        rows = self.graph.read(list_firings, trigger=found.id, until=None, limit=most)
        page = Page(tuple(rows[cut.offset :]), found.firings)
        return page_answer("firings", page, firing_answer)

    def preview(self, request: Request) -> Response:
        """Answer when a trigger would have fired."""
        found = self._find(request, Role.READ)
        days, limit = whole_number(request, "days", 7, MOST_DAYS), read_cut(request).limit
        if days < 1:
            raise RequestRefused(400, f"days must be from 1 to {MOST_DAYS}", "days")
        foreseen = self.graph.read(
            preview_trigger,
            read_stored(found.rule or ""),
            starts=found.job_key or "",
            namespace=found.namespace or "",
            span=timedelta(days=days),
        )
        return answer(preview_answer(foreseen, limit))

    def fire(self, request: Request) -> Response:
        """Queue a run of a trigger's job: 201, or 200 if the same request queued it before."""
        found, said = self._find(request, Role.OPERATE), body_of(request, FireBody)
        key = idempotency_key(request)
        request_ = request_firing(found, said.params, consume=said.consume, key=key)
        queued = queue_run(self.graph, request_)
        self.nudge()
        return answer_started(queued, Named(found.namespace or "", found.starts or ""))

    def redrive(self, request: Request) -> Response:
        """Start the runs of dead letters of a trigger; keys of others are left alone."""
        found, said = self._find(request, Role.OPERATE), body_of(request, RedriveBody)
        keys = self.graph.read(find_redrivable, found.id, said.keys)
        started = self.graph.write(redrive, keys)
        self.nudge()
        return answer(RedrivenAnswer(runs=[one.run_id for one in started if one.run_id]))

    def switch(self, request: Request, *, enabled: bool) -> Response:
        """Enable or suspend a trigger."""
        found = self._find(request, Role.OPERATE)
        self.graph.write(enable_trigger, trigger_id=found.id, enabled=enabled)
        return answer(trigger_detail(find_trigger(self.graph, found.id)))

    def _find(self, request: Request, role: Role) -> WholeTriggerRow:
        found = find_trigger(self.graph, path_name(request, "trigger"))
        require(caller_of(request), role, found.namespace or EVERYWHERE)
        return found


def trigger_routes(graph: Graph, settings: Settings, nudge: Callable[[], None]) -> list[RawRoute]:
    """Return the routes."""
    served = ServedTriggers(graph, nudge)
    endpoints: dict[str, Callable[[Request], Response]] = {
        "getTriggers": served.list_all,
        "getTrigger": served.get,
        "getTriggerWhy": served.why,
        "getTriggerFirings": served.firings,
        "getTriggerPreview": served.preview,
        "fireTrigger": served.fire,
        "redriveTrigger": served.redrive,
        "enableTrigger": partial(served.switch, enabled=True),
        "disableTrigger": partial(served.switch, enabled=False),
    }
    return routes_of(OPERATIONS, endpoints, settings.max_body_bytes)
