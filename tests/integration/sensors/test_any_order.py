"""Waits, looks and time in any order, against a model of a few lines that has no graph."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineagegraph.graph import Graph
from tests.integration.sensors.theatre import Theatre, a_file, at, poke

FILES = ("a", "b")
TERMS = [
    {},
    {"timeout": 20.0},
    {"timeout": 30.0, "execution_timeout": 10.0, "retries": 2},
    {"timeout": 15.0, "retries": 1, "soft_fail": True},
]


@dataclass
class Expected:
    """What one wait is to be, and why."""

    file: str
    began: int
    terms: dict[str, Any]
    state: str = "waiting"
    attempt: int = 1
    ended: int | None = None

    @property
    def attempts(self) -> int:
        return int(self.terms.get("retries", 0)) + 1

    @property
    def span(self) -> float:
        timeout = float(self.terms.get("timeout", 604_800.0))
        return min(timeout, self.terms.get("execution_timeout", timeout))

    def count_attempts(self, now: int) -> None:
        """Attempts end when their time is over, no matter what counts them and when."""
        over = int((now - self.began) // self.span)
        self.attempt = max(self.attempt, min(over + 1, self.attempts))

    def poke(self, file: str, began: int, now: int) -> None:
        """A poke found it, which counts for those who waited when it began."""
        if self.state == "waiting" and self.file == file and self.began <= began:
            self.count_attempts(began)
            self.state, self.ended = "success", now

    def pass_time(self, now: int) -> None:
        """A wait whose attempts are all over has failed, or is skipped."""
        if self.state != "waiting":
            return
        self.count_attempts(now)
        if now - self.began >= self.span * self.attempts:
            self.state = "skipped" if self.terms.get("soft_fail") else "failed"
            self.ended = now


@dataclass
class Play:
    """The same done to the graph and to the model, a second or more after the other."""

    theatre: Theatre
    now: int = 0
    expected: dict[str, Expected] = field(default_factory=dict)

    def wait(self, file: str, terms: dict[str, Any]) -> None:
        run_id = self.theatre.wait(a_file(file), self.now, **terms)
        self.expected[run_id] = Expected(file, self.now, terms)

    def poke(self, file: str, is_true: bool | None, age: int, times: int) -> None:
        began = max(self.now - age, 0)
        found = poke(a_file(file), is_true, began, error=None if is_true is not None else "no")
        if not self.theatre.graph.query("MATCH (s:Sensor {id: $id}) RETURN s", {"id": found.id}):
            return
        for _ in range(times):
            self.theatre.settle([found], self.now)
        for one in self.expected.values():
            if is_true:
                one.poke(file, began, self.now)

    def pass_time(self) -> None:
        self.theatre.pass_time(self.now)
        for one in self.expected.values():
            one.pass_time(self.now)

    def check(self) -> None:
        rows = self.theatre.graph.query(
            "MATCH (r:Run)-[w:WAITS_ON]->() RETURN r.id AS id, w.state AS state, "
            "w.attempt AS attempt, w.settled_at AS ended, r.state AS run, "
            "COUNT { (:StateChange)-[:OF]->(r) } AS changes"
        )
        found = {row.pop("id"): row for row in rows}
        assert found == {id_: _row(one) for id_, one in self.expected.items()}


RUNS = {"success": "COMPLETED", "failed": "FAILED", "skipped": "SKIPPED", "waiting": "WAITING"}


def _row(one: Expected) -> dict[str, Any]:
    waiting = "up_for_retry" if one.attempt > 1 else "smart_pending"
    return {
        "state": waiting if one.state == "waiting" else one.state,
        "attempt": one.attempt,
        "ended": None if one.ended is None else at(one.ended),
        "run": RUNS[one.state],
        "changes": 1 if one.state == "waiting" else 2,
    }


WAITS = st.tuples(st.just("wait"), st.sampled_from(FILES), st.sampled_from(TERMS))
POKES = st.tuples(
    st.just("poke"),
    st.sampled_from(FILES),
    st.sampled_from([True, True, False, None]),
    st.integers(0, 15),
    st.integers(1, 2),
)
TIMES = st.tuples(st.just("pass_time"))
STEPS = st.lists(st.tuples(st.integers(1, 12), st.one_of(WAITS, WAITS, POKES, TIMES)), max_size=10)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_waits_come_out_as_their_own_terms_and_the_looks_say(
    connection: Graph, steps: list[tuple[int, tuple[Any, ...]]]
) -> None:
    connection.query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n", write=True)
    play = Play(Theatre(connection))
    for seconds, (what, *given_) in steps:
        play.now += seconds
        getattr(play, what)(*given_)
    play.check()
