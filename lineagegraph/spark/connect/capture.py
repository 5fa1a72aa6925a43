"""From the requests of a Spark Connect client to run events of the actions that they are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import structlog

from lineagegraph.errors import RunKilled
from lineagegraph.model.runs.ids import new_id
from lineagegraph.model.runs.spark_cancel import is_spark_cancel
from lineagegraph.model.runs.states import EventType
from lineagegraph.spark.action import UNKNOWN, Action, Completeness, Description
from lineagegraph.spark.action_names import name_action
from lineagegraph.spark.applications import tag_of
from lineagegraph.spark.capture import Emit
from lineagegraph.spark.connect.calls import asking
from lineagegraph.spark.connect.datasets import DEEPEST_VIEW, Datasets, failed
from lineagegraph.spark.connect.parts import Effect, NamedTable, Part, Unknown, is_temporary
from lineagegraph.spark.connect.plans import effect_of, ended_stream, operation_of
from lineagegraph.spark.connect.server import Server
from lineagegraph.spark.context import TaskContext
from lineagegraph.spark.facets import Facet
from lineagegraph.spark.run_events import (
    ActionRun,
    ApplicationRun,
    action_event,
    application_event,
    error_of,
)

log = structlog.get_logger()

_LEFT = "stream after its task"


@dataclass(frozen=True)
class _Session:
    """What is known of a client's session: its server, and its temporary views."""

    server: Server
    views: dict[str, tuple[Part, ...]] = field(default_factory=dict)

    def take(self, effect: Effect) -> None:
        """Take note of the views that a request made or dropped."""
        if view := effect.view:
            sources = self._now(view.sources, DEEPEST_VIEW) if view.is_fixed else view.sources
            self.views[view.name.lower()] = tuple(sources)
        if effect.dropped_view:
            self.views.pop(effect.dropped_view.lower(), None)

    def _now(self, parts: tuple[Part, ...], depth: int) -> Iterator[Part]:
        """Yield parts, with those of temporary views in place of the names of these."""
        for part in parts:
            behind = None
            if depth and isinstance(part, NamedTable) and is_temporary(part.name):
                behind = self.views.get(part.name[-1].lower())
            yield from [part] if behind is None else self._now(behind, depth - 1)


@dataclass
class _Running:
    """An action that goes on."""

    session: _Session
    run: ActionRun
    effect: Effect
    description: Description
    at: datetime
    #: the server says that nothing ran yet
    is_query: bool = False
    #: a stream, which goes on after the request
    is_open: bool = False

    @property
    def is_doubtful(self) -> bool:
        return Unknown("statement") in self.effect.sources and not self.effect.outputs


# A session's tasks share its views.
_sessions: WeakKeyDictionary[Any, _Session] = WeakKeyDictionary()
_lock = Lock()


class ConnectCapture:
    """Follows the requests of one task; called by any of its threads.

    Its datasets are those that the client's plans name, as the server describes them.
    """

    def __init__(
        self, context: TaskContext, name: str, trimmers: tuple[str, ...], emit: Emit
    ) -> None:
        self._context = context
        self._name = name
        self._trimmers = trimmers
        self._emit = emit
        self._numbers = count(1)
        self._application: ApplicationRun | None = None
        self._score = Completeness()
        self._streams: dict[str | None, _Running] = {}
        self._clients = WeakKeyDictionary[Any, bool]()

    def follow(self, client: Any, request: Any, run: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """Yield the answers of a request, and report it if it is an action."""
        session, operation, effect = self._understand(client, request)
        running, stream = self._begin(session, effect), ended_stream(operation)
        request.tags.append(tag_of(self._context.run_id))
        try:
            for answer in run():
                self._note(answer, running, stream)
                yield answer
        except GeneratorExit:
            self._complete(session, running)
            raise
        except BaseException as error:
            self._fail(running or self._streams.pop(stream, None), error)
            raise
        session.take(effect)
        self._complete(session, running)

    def cancel(self) -> None:
        """Interrupt the operations of the task on its servers."""
        for client in list(self._clients):
            try:
                client.interrupt_tag(tag_of(self._context.run_id))
            except Exception as error:
                log.warning("spark connect operations not interrupted", error=str(error))

    def close(self, event_type: EventType, error: BaseException | None = None) -> None:
        """Report the end of the application's part for the task, if there was one."""
        for running in list(self._streams.values()):
            running.is_open = False
            left = replace(running.description, opaque=(*running.description.opaque, _LEFT))
            self._complete(running.session, replace(running, description=left))
        if self._application:
            fault = error_of(error) if error else None
            now = datetime.now(UTC)
            self._emit([application_event(event_type, now, self._application, fault, self._score)])

    def _note(self, answer: Any, running: _Running | None, stream: str | None) -> None:
        """Take note of a stream that began or ended, and of a statement that is a query."""
        if not isinstance(answer, dict):
            return
        if running and _is_query(answer.get("sql_command_result")):
            running.is_query = True
        if running and (begun := answer.get("write_stream_operation_start_result")):
            running.is_open = True
            self._streams[begun.query_id.run_id] = running
        ended: Any = answer.get("streaming_query_command_result")
        is_waiting = ended is not None and ended.HasField("await_termination")
        if stream and not (is_waiting and not ended.await_termination.terminated):
            self._end_stream(stream)

    def _end_stream(self, stream: str) -> None:
        if running := self._streams.pop(stream, None):
            running.is_open = False
            self._complete(running.session, running)

    def _understand(self, client: Any, request: Any) -> tuple[_Session, Any, Effect]:
        with _lock:
            self._clients[client] = True
            session = _sessions.get(client)
            if session is None:
                session = _sessions[client] = _Session(Server(client, type(request.plan)))
        operation = None
        try:
            with asking():
                operation = operation_of(request.plan)
                return session, operation, effect_of(operation)
        except Exception as error:
            log.warning("spark connect plan not understood", error=str(error))
            return session, operation, Effect((Unknown("plan"),))

    def _begin(self, session: _Session, effect: Effect) -> _Running | None:
        if effect.is_lazy or not (effect.sources or effect.outputs):
            return None
        at = datetime.now(UTC)
        description = self._describe(session, effect)
        if not (description.relations or description.targets or description.opaque):
            return None
        name = name_action(Action(description), effect.execution)
        with asking():
            application = self._begun(session, at)
        run = ActionRun(application, next(self._numbers), name)
        running = _Running(session, run, effect, description, at)
        if not running.is_doubtful:
            self._emit([action_event(EventType.START, at, run)])
        return running

    def _describe(self, session: _Session, effect: Effect) -> Description:
        try:
            with asking():
                return self._datasets(session).describe(effect)
        except Exception as error:
            log.warning("spark connect plan not understood", error=str(error))
            return UNKNOWN

    def _datasets(self, session: _Session) -> Datasets:
        return Datasets(session.server, session.views, self._trimmers)

    def _begun(self, session: _Session, at: datetime) -> ApplicationRun:
        with _lock:
            if self._application is None:
                self._application = ApplicationRun(
                    new_id(),
                    self._context.namespace,
                    self._name,
                    session.server.engine,
                    self._context,
                )
                self._emit([application_event(EventType.START, at, self._application)])
            return self._application

    def _complete(self, session: _Session, running: _Running | None) -> None:
        if running is None or running.is_query or running.is_open:
            return
        description = running.description
        try:
            with asking():
                description = self._datasets(session).describe_end(description, running.effect)
        except Exception as error:
            log.warning("spark connect outputs not described", error=str(error))
        self._end(running, EventType.COMPLETE, Action(description))

    def _fail(self, running: _Running | None, error: BaseException) -> None:
        if running:
            event_type = EventType.ABORT if _is_cancel(error) else EventType.FAIL
            self._end(running, event_type, Action(failed(running.description)), error_of(error))

    def _end(
        self, running: _Running, event_type: EventType, action: Action, error: Facet | None = None
    ) -> None:
        if running.is_doubtful:
            self._emit([action_event(EventType.START, running.at, running.run)])
        with _lock:
            self._score += Completeness(action.parts, action.description.opaque)
        self._emit([action_event(event_type, datetime.now(UTC), running.run, action, error)])


def _is_query(found: Any) -> bool:
    """Return whether a server answers that a statement is a query, which runs later."""
    return found is not None and found.WhichOneof("rel_type") in ("sql", "with_relations")


def _is_cancel(error: BaseException) -> bool:
    killed = isinstance(error, RunKilled | KeyboardInterrupt)
    return killed or is_spark_cancel(str(error))
