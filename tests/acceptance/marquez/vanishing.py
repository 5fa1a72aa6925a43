"""Requests during which all is deleted: after one of their statements the others find nothing."""

import re
from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest
from neo4j import ManagedTransaction

from tests.acceptance.marquez.operations import Sent

_TIME = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_STATEMENTS = 30


class Vanishing:
    """Names and keys in parameters become those of nothing, from the statement of a number on."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._since: int | None = None
        self._count = 0
        real = ManagedTransaction.run

        def run(tx: ManagedTransaction, query: Any, parameters: Any = None) -> Any:
            number, self._count = self._count, self._count + 1
            is_gone = self._since is not None and number >= self._since
            return real(tx, query, _of_nothing(parameters) if is_gone else parameters)

        patch.setattr(ManagedTransaction, "run", run)

    def statuses(self, client: httpx.Client, sent: Sent) -> Iterator[int]:
        """Yield the statuses of a request, with one more of its statements before all is gone."""
        for since in range(1, _MOST_STATEMENTS):
            self._since, self._count = since, 0
            yield client.request(sent.method, sent.path, params=sent.query).status_code
            if self._count <= since:
                break
        self._since = None


def _of_nothing(value: Any) -> Any:
    """Return a parameter with its texts changed, but for times, and with its limits at none."""
    match value:
        case bool():
            return value
        case int():
            return 0
        case str():
            return value if _TIME.match(value) else f"{value} of nothing"
        case list():
            return [_of_nothing(item) for item in value]
        case dict():
            return {name: _of_nothing(item) for name, item in value.items()}
    return value
