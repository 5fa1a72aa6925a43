"""Answers of sensors that tasks of a run deferred to."""

import msgspec

from lineagegraph.graph import Transaction, bound


class TaskAnswers(msgspec.Struct, frozen=True):
    """The answers that the run of a task got, as JSON text."""

    run_id: str
    answers: str


@bound
def settle_answers(tx: Transaction, *, run_id: str, answers: str) -> None: ...


@bound
def list_answers(tx: Transaction, *, id: str) -> list[TaskAnswers]: ...
