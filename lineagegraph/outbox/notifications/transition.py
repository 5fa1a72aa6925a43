"""Transitions that can be notified."""

from datetime import datetime

import msgspec

from lineagegraph.model.outbox.routes import Occasion


class Transition(msgspec.Struct, frozen=True, kw_only=True):
    """A transition to a state that can be notified.

    `about` is the kind of subject (`run`, `firing`, `job`, `dataset`), `id` its id. `turn`
    distinguishes repeated transitions. Without a parent it `is_top`.
    """

    occasion: Occasion  # kind of the transition, which routes select
    about: str  # kind of the subject
    id: str  # id of the subject; the node id of a job or dataset
    namespace: str  # namespace of the job or dataset
    job: str  # full name of the job, or name of the dataset
    at: datetime  # time of the transition
    reason: str | None = None  # reason in capitals, such as LOST; None without one
    message: str | None = None  # explanation for people; None without one
    attempt: int | None = None  # number of the failed attempt of a task
    next_attempt: datetime | None = None  # time of the one after it
    is_top: bool = True  # whether it also goes to routes that leave out parts of runs
    # time that distinguishes repeated transitions of the subject; empty if there are none
    turn: str = ""
