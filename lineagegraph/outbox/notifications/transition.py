"""What may be told."""

from datetime import datetime

import msgspec

from lineagegraph.model.outbox.routes import Occasion


class Transition(msgspec.Struct, frozen=True, kw_only=True):
    """Something came to a state that people may want to hear of.

    `about` says what it is (`run`, `firing`, `job`, `dataset`), `id` which. Where a thing
    can come there again its `turn` tells which time it is. Without a parent it `is_top`.
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
