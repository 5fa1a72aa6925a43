"""Schedules added, changed, deleted, enabled and suspended."""

from datetime import UTC, datetime
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from lineagegraph.errors import InvalidRule
from lineagegraph.http.access import caller_of, require
from lineagegraph.http.plumbing.bodies import body_of
from lineagegraph.http.plumbing.parameters import path_name, whole_number
from lineagegraph.http.plumbing.reads import Reads, answer
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.http.schedules.answers import (
    SCHEDULED,
    SUSPENDED,
    EnabledSchedulesAnswer,
    details,
)
from lineagegraph.http.schedules.body import (
    ScheduleBody,
    check_name,
    check_type,
    said_members,
    started_program,
)
from lineagegraph.http.schedules.from_cdap import Json, Scheduled
from lineagegraph.http.schedules.places import place_of
from lineagegraph.model.access import Role
from lineagegraph.model.triggers.describe import namespaces_of
from lineagegraph.model.triggers.trigger_json import decode_trigger
from lineagegraph.queries.triggers.schedules import as_schedule
from lineagegraph.triggers.confine import confine_sensors
from lineagegraph.triggers.schedules import (
    SchedulePath,
    add_schedule,
    enable_suspended,
    find_schedule,
    remove_schedule,
    switch_schedule,
    update_schedule,
)

# The last millisecond that a time here can have.
_MOST_MILLIS = 253_402_300_799_999


class ScheduleWriters(NamedTuple):
    """Changes schedules; `zone` is that of times without a zone."""

    reads: Reads
    zone: str

    def add(self, request: Request) -> Response:
        """Make a schedule that is suspended: 404 without its program, 409 if it exists."""
        place, said = self._read(request)
        program = started_program(said)
        if said.trigger is None:
            raise InvalidRule("$.trigger: state when the schedule starts its program")
        members = self._members(request, place, said)
        graph = self.reads.graph
        token = caller_of(request).token
        graph.write(add_schedule, place, program, decode_trigger(members), token=token)
        return self._answer(place)

    def update(self, request: Request) -> Response:
        """Change the members that the body has, and leave the others."""
        place, said = self._read(request)
        check_type(said)
        members = self._members(request, place, said)
        program = said.program.program_name if said.program else None
        token = caller_of(request).token
        self.reads.graph.write(update_schedule, place, program, members, token=token)
        return self._answer(place)

    def delete(self, request: Request) -> Response:
        """Delete a schedule."""
        self.reads.graph.write(remove_schedule, place_of(self.reads.graph, request))
        return answer("OK")

    def enable(self, request: Request) -> Response:
        """Enable a schedule: 409 if it is enabled."""
        return self._switch(request, enabled=True)

    def suspend(self, request: Request) -> Response:
        """Suspend a schedule: 409 if it is suspended."""
        return self._switch(request, enabled=False)

    def re_enable(self, request: Request) -> Response:
        """Enable the schedules that were suspended within a window."""
        namespace = path_name(request, "namespace")
        since, until = _millis(request, "start-time-millis"), _millis(request, "end-time-millis")
        names: list[str] = []
        while some := self.reads.graph.write(enable_suspended, namespace, since, until):
            names += some
        return answer(EnabledSchedulesAnswer(sorted(names)))

    def _read(self, request: Request) -> tuple[SchedulePath, ScheduleBody]:
        place, said = place_of(self.reads.graph, request), body_of(request, ScheduleBody)
        check_name(said, place.name)
        return place, said

    def _members(self, request: Request, place: SchedulePath, said: ScheduleBody) -> Json:
        scheduled = Scheduled(place.namespace, place.application, self.zone)
        members = said_members(said, scheduled)
        if "when" in members:
            if caller_of(request).is_confined:
                members = {**members, "when": confine_sensors(members["when"])}
            when = decode_trigger({"when": members["when"]}).when
            for namespace in namespaces_of(when, place.namespace):
                require(caller_of(request), Role.READ, namespace)
        return members

    def _switch(self, request: Request, *, enabled: bool) -> Response:
        place = place_of(self.reads.graph, request)
        if not self.reads.graph.write(switch_schedule, place, enabled=enabled):
            now = SCHEDULED if enabled else SUSPENDED
            raise RequestRefused(409, f"schedule {place.name!r} is {now} already")
        return answer("OK")

    def _answer(self, place: SchedulePath) -> Response:
        graph = self.reads.graph
        (shape,) = details(graph, [as_schedule(graph.read(find_schedule, place))])
        return answer(shape)


def _millis(request: Request, name: str) -> datetime:
    if name not in request.query_params:
        raise RequestRefused(400, f"{name} is missing: milliseconds since 1970", name)
    millis = whole_number(request, name, 0, _MOST_MILLIS)
    return datetime.fromtimestamp(millis / 1000, UTC)
