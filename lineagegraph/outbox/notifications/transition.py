"""Transitions that can be notified."""

from datetime import datetime

import msgspec

from lineagegraph.model.outbox.routes import Occasion


class Transition(msgspec.Struct, frozen=True, kw_only=True):
    """A transition to a state that can be notified.

    `about` is the kind of subject (`run`, `firing`, `job`, `dataset`), `id` its id. `turn`
    distinguishes repeated transitions. Without a parent it `is_top`.
    """

    occasion: Occasion
    about: str
    id: str
    namespace: str
    job: str
    at: datetime
    reason: str | None = None
    message: str | None = None
    is_top: bool = True
    turn: str = ""
