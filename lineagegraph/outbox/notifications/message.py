"""A notification in words and as JSON."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import quote

import msgspec

from lineagegraph.model.outbox.routes import Occasion
from lineagegraph.neo4j_server import Noun
from lineagegraph.secrets import mask_text
from lineagegraph.store.outbox.notifications import ClaimedNotification
from lineagegraph.text import visible

_SAID = {
    Occasion.WAITING: "waits",
    Occasion.RUNNING: "runs",
    Occasion.COMPLETED: "completed",
    Occasion.FAILED: "failed",
    Occasion.KILLED: "was killed",
    Occasion.DEAD_LETTER: "is a dead letter",
    Occasion.EXPIRED: "expired",
    Occasion.ABORTED: "was aborted",
    Occasion.FRESH_SKIP: "was not run: it is fresh",
    Occasion.SKIPPED: "was skipped",
    Occasion.SUPERSEDED: "does not count: another worker had taken it over",
    Occasion.STALE: "is stale",
    Occasion.CLUSTER_LEFT: "cannot be removed",
    Occasion.FRESH: "is fresh again",
    Occasion.SLOW: "takes much longer than usual",
    Occasion.LATE: "is late: no worker takes it",
    Occasion.RETRY: "failed and is tried again",
}
_NODES = ("job", "dataset")
_SHOWN: dict[str, Noun] = {"run": "run", "firing": "firing"}
Link = Callable[[Noun, str], str | None]
"""From what a message is about, and its key, to an address of Neo4j Browser."""


class Message(msgspec.Struct, frozen=True):
    """The message for a channel; receivers detect duplicates by its `id`."""

    id: str
    type: str
    at: datetime
    title: str
    data: dict[str, str]

    @property
    def text(self) -> str:
        """Everything, a line each."""
        facts = {"time": self.at.isoformat(), **self.data, "notification": self.id}
        return "\n".join([self.title, "", *(f"{name}: {value}" for name, value in facts.items())])

    def as_json(self) -> dict[str, Any]:
        """The body that webhooks get."""
        data = {"id": self.id, "title": self.title, **self.data}
        return {"type": self.type, "timestamp": self.at.isoformat(), "data": data}


def to_message(
    claimed: ClaimedNotification, link: Link | None = None, page: str | None = None
) -> Message:
    """Return the message with links to its subject; `page` is the address of the page."""
    about, _, occasion = claimed.type.partition(".")
    data = {
        about: claimed.subject,
        "namespace": claimed.namespace,
        about if about in _NODES else "job": claimed.job,
        "owners": ", ".join(claimed.owners or ()),
        "reason": claimed.reason,
        "message": claimed.message,
        "attempt": claimed.attempt and str(claimed.attempt),
        "next_attempt": claimed.next_attempt and claimed.next_attempt.isoformat(),
        "page": page and f"{page}/#/{_view(about, claimed)}",
        "browser": link(_SHOWN[about], claimed.subject) if link and about in _SHOWN else None,
    }
    return Message(
        id=claimed.key,
        type=claimed.type,
        at=claimed.at,
        title=_safe(f"{_about(about, claimed.job)} {_SAID[Occasion(occasion)]}"),
        data={name: _safe(value) for name, value in data.items() if value},
    )


def _view(about: str, claimed: ClaimedNotification) -> str:
    """Return the view of the page that shows the subject, as in `frontend/page/address.js`."""
    if about == "run":
        parts = ["run", claimed.subject]
    elif about in _NODES:
        parts = ["freshness", claimed.subject]
    else:
        parts = ["job", claimed.job, claimed.namespace, "", "About the job"]
    return "/".join(quote(part, safe="") for part in parts)


def _safe(text: str) -> str:
    return visible(mask_text(text))


def _about(about: str, name: str) -> str:
    """Return the subject of a message: a job or dataset, or a part of a job."""
    return f"{about} {name}" if about in _NODES else f"{about} of {name}"


def trial_message(now: datetime, id_: str) -> Message:
    """Return a test message."""
    return Message(id=id_, type="test", at=now, title="a test of lineagegraph", data={})
