"""A view: methods that answer the questions of one page.

A page asks `QUESTION` with named values; `answer_QUESTION` returns the answer. Views know neither
ipywidgets nor HTTP: a widget and a web page ask the same.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import msgspec

from lineagegraph.graph import Graph
from lineagegraph.model.access import EVERYWHERE, Role
from lineagegraph.neo4j_server import Noun, browser_link
from lineagegraph.queries.find.find import find_job
from lineagegraph.settings import Settings
from lineagegraph.store.jobs.names import NamedJob
from lineagegraph.views.jupyter import find_jupyter


class View:
    """The questions of one page about a graph."""

    #: the questions whose answer changes something, or starts runs
    acts: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, graph: Graph, settings: Settings) -> None:
        self._graph = graph
        self._settings = settings
        #: has a queued run executed; None: as for a person at this machine
        self.execute: Callable[[str], object] | None = None
        #: the author of notes and marks; None: the user of this process
        self.author: str | None = None
        #: name of the token with which it is asked; None without one
        self.token: str | None = None
        #: whether sensors of its rules may poke only places that the settings name
        self.confined = False
        #: idempotency key of the question: what is asked again with it starts no second run
        self.key: str | None = None

    def needs(self, question: str, about: Mapping[str, Any]) -> list[tuple[Role, str]]:
        """Return the roles that a question needs, each with the namespace that it has to cover."""
        return [(Role.OPERATE if question in self.acts else Role.READ, EVERYWHERE)]

    def answer(self, question: str, about: Mapping[str, Any]) -> Any:
        """Return the answer to a question, in types that JSON has.

        Raises `AttributeError` for an unknown question, and each error of `lineagegraph.errors`.
        """
        return msgspec.to_builtins(getattr(self, f"answer_{question}")(**about))

    def answer_jupyter(self) -> str | None:
        """Return the address of the JupyterLab of `lineagegraph notebook`, None without one."""
        return find_jupyter(self._settings)

    def _find_job(self, name: str, namespace: str) -> NamedJob:
        """Return a job; an address of a page may have no namespace of it."""
        return find_job(self._graph, name, namespace or None)

    def _read_time(self, text: str) -> datetime:
        """Return a time of a page, in the installation's zone if it states none."""
        at = datetime.fromisoformat(text)
        return at if at.tzinfo else at.replace(tzinfo=ZoneInfo(self._settings.zone))

    def _browser_link(self, noun: Noun, key: str) -> str | None:
        """Return the address of a thing in Neo4j Browser, None if Browser is not known."""
        return browser_link(self._settings, noun, key)
