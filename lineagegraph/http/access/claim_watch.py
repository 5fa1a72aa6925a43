"""Thread that judges claims again whenever the rights of tokens have changed."""

from collections.abc import Callable
from threading import Event, Thread

import structlog

from lineagegraph.errors import GraphError
from lineagegraph.graph import Graph
from lineagegraph.http.access.known_tokens import KnownTokens
from lineagegraph.reactions.judge_claims import judge_claims, rights_of
from lineagegraph.settings import Settings
from lineagegraph.store.runs.events import list_due_claims

log = structlog.get_logger()
_SECONDS = 2.0


class ClaimWatch:
    """Judges claims by the rights of now; runs from `start` to `stop`."""

    def __init__(
        self, graph: Graph, settings: Settings, tokens: KnownTokens, nudge: Callable[[], None]
    ) -> None:
        self._graph = graph
        self._settings = settings
        self._tokens = tokens
        self._nudge = nudge
        self._is_over = Event()
        self._thread = Thread(target=self._run, name="claims", daemon=True)

    def start(self) -> None:
        """Judge the claims in the graph, and later ones when rights change."""
        self._thread.start()

    def stop(self) -> None:
        """End after the page in hand."""
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.wait(_SECONDS):
            try:
                self._judge()
            except GraphError as error:
                log.warning("claims_not_judged", error=str(error))
            except Exception:
                log.exception("claims_not_judged")

    def _judge(self) -> None:
        callers = self._tokens.by_name()
        rights = rights_of(callers)
        while not self._is_over.is_set() and self._graph.read(
            list_due_claims, rights=rights, limit=1
        ):
            if self._graph.write(
                judge_claims,
                callers,
                max_event_age=self._settings.max_event_age,
                routes=self._settings.notify,
            ):
                self._nudge()
