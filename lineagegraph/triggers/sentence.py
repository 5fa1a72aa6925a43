"""The meaning of a schedule's sentence: a program and the members of a rule."""

from typing import Any

from lineagegraph.errors import InvalidRule, NotFound
from lineagegraph.graph import Transaction
from lineagegraph.model.runs.states import JobKind
from lineagegraph.model.triggers.schedule_sentence import ScheduleSentence
from lineagegraph.store.triggers import schedules
from lineagegraph.store.triggers.schedules import Program

_CURRENT = "-SNAPSHOT"


def find_started(tx: Transaction, namespace: str, fqn: str, type_: str) -> Program:
    """Return the program that a sentence schedules, with its application."""
    if type_ != "WORKFLOW":
        raise InvalidRule(
            f"program type {type_!r} cannot be scheduled, only WORKFLOW, which is a pipeline; a "
            "task starts within one"
        )
    for program in schedules.list_programs(tx, rows=[{"namespace": namespace, "name": fqn}]):
        if program.kind == JobKind.PIPELINE and not program.is_gone:
            return program
    raise NotFound(f"{fqn} is not a synced pipeline: run `lineagegraph sync PATH` first")


def rule_members(
    sentence: ScheduleSentence, started: Program, watched: str, not_failing: str | None = None
) -> dict[str, Any]:
    """Return the members of a rule; `watched` is the FQN of the program that it waits for.

    `not_failing` is the FQN of the program that must not have failed last.

    Missing parts of that program are taken from the scheduled one, except its version, which is the
    current one: a version here belongs to a program, not to an application.
    """
    after = sentence.after
    version = after.version
    given = {
        "description": sentence.description,
        "properties": sentence.properties,
        "constraints": _constraints(sentence.concurrency, not_failing),
    }
    when = {
        "on": "status",
        "job": watched,
        "statuses": list(after.statuses),
        "type": after.type,
        "namespace": after.namespace or started.namespace,
        "application": after.application or started.application,
        "version": None if version == _CURRENT else version,
    }
    return {"when": when} | {name: value for name, value in given.items() if value is not None}


def _constraints(concurrency: int | None, not_failing: str | None) -> list[dict[str, Any]] | None:
    stated = {"concurrency": ("limit", concurrency), "not_failing": ("job", not_failing)}
    found = [{"kind": k, name: value} for k, (name, value) in stated.items() if value is not None]
    return found or None
