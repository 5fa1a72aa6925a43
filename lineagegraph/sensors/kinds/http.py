"""HTTP responses."""

import re
from typing import Any, ClassVar, Literal, Self
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from lineagegraph.errors import InvalidRule, InvalidSensor, PokeFailed
from lineagegraph.model.triggers.predicate import Predicate, check_predicate
from lineagegraph.sensors.context import PokeContext
from lineagegraph.sensors.http.addresses import checked_url, is_http
from lineagegraph.sensors.http_ask import HttpQuestion, asked
from lineagegraph.sensors.json_values import holds
from lineagegraph.sensors.policy import SensorPolicy
from lineagegraph.sensors.sensor import Sensor

_STATUS = re.compile(r"[1-5](\d\d|xx)")
_NO_ANSWER = (401, 403, 407, 408, 425, 429)
_SERVER_ERROR = 500


class HttpSensor(Sensor, frozen=True, kw_only=True, omit_defaults=True):
    """A server responds with one of the statuses, and with JSON that passes every test.

    Other statuses mean not yet. Statuses that are no answer (401, 403, 429, 5xx …) are errors,
    unless the sensor waits for them.
    """

    kind: ClassVar[str] = "http"
    at_once: ClassVar[int] = 100

    url: str  # absolute, or a path below the connection's URL
    method: Literal["GET", "HEAD", "POST"] = "GET"  # method of the request
    status: tuple[int | str, ...] | int | str = ("2xx",)  # answers that succeed, as 200 or "2xx"
    where: tuple[Predicate, ...] | Predicate = ()  # conditions on the JSON of the answer
    headers: dict[str, str] = msgspec.field(default_factory=dict)  # headers without secrets
    body: Any = None  # JSON value to send
    connection: str | None = None  # name of a connection with its URL and secrets

    def checked(self) -> Self:
        """Return it in its one spelling."""
        url = self.url if self._is_relative_url else checked_url(self.url)
        tests = self._tests
        if self.method == "HEAD" and tests:
            raise InvalidSensor(f"http {url}: a response to HEAD has no body to test")
        if self.body is not None and self.method != "POST":
            raise InvalidSensor(f"http {url}: only POST has a body")
        for one in tests:
            _check(one, url)
        headers = {name.lower(): value for name, value in self.headers.items()}
        return replace(self, url=url, status=self._statuses(), where=tests, headers=headers)

    def permit(self, policy: SensorPolicy) -> None:
        """Raise `InvalidSensor` for a host that may not be asked."""
        if not self._is_relative_url:
            policy.hosts.check_name(urlsplit(self.url).hostname or "")

    def host(self) -> str:
        """Return the server, or the connection that has it."""
        return urlsplit(self.url).netloc or f"connection {self.connection}"

    async def poke(self, context: PokeContext) -> bool:
        """Ask, and judge the answer."""
        question = HttpQuestion(self.method, self.url, self.headers, self.body, self.connection)
        async with asked(question, context, follow=self._follows) as answer:
            if not self._is_waited_for(answer.status):
                return self._not_yet(answer.status)
            return not self._tests or holds(self._tests, await answer.read())

    @property
    def _is_relative_url(self) -> bool:
        return self.connection is not None and self.url.startswith("/") and not is_http(self.url)

    @property
    def _tests(self) -> tuple[Predicate, ...]:
        return (self.where,) if isinstance(self.where, Predicate) else self.where

    @property
    def _follows(self) -> bool:
        """A redirect may be the status that the sensor waits for."""
        return self.method != "POST" and not any(one.startswith("3") for one in self._statuses())

    def _statuses(self) -> tuple[str, ...]:
        said = self.status if isinstance(self.status, tuple) else (self.status,)
        found = tuple(sorted({str(one).lower() for one in said}))
        for one in found or ("",):
            if not _STATUS.fullmatch(one):
                raise InvalidSensor(
                    f"status {one!r} is not a status: use one such as 200, or a class such as 2xx"
                )
        return found

    def _is_waited_for(self, status: int) -> bool:
        return any(one in (str(status), f"{status // 100}xx") for one in self._statuses())

    def _not_yet(self, status: int) -> bool:
        if status in _NO_ANSWER or status >= _SERVER_ERROR:
            raise PokeFailed(f"{self.method} {self.url}: status {status}")
        return False

    def __str__(self) -> str:
        tests = " and ".join(map(str, self._tests))
        return f"http {self.method} {self.url}" + (f" {tests}" if tests else "")


def _check(predicate: Predicate, url: str) -> None:
    try:
        check_predicate(predicate)
    except InvalidRule as error:
        raise InvalidSensor(f"http {url}: {error}") from None
