"""Notification routes. Addresses may contain secrets and are never shown."""

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, field_validator

from lineagegraph.model.outbox.targets import OutboxName

SCHEMES = ("http", "https", "log", "mailto", "apprise")
_SECRET_PREFIX = "whsec_"
_LEAST_SECRET = 16


class Occasion(StrEnum):
    """Occasions for notifications about a run, a firing, a job or a dataset."""

    WAITING = "waiting"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    KILLED = "killed"
    DEAD_LETTER = "dead_letter"
    EXPIRED = "expired"
    ABORTED = "aborted"
    FRESH_SKIP = "fresh_skip"
    SKIPPED = "skipped"
    SUPERSEDED = "superseded"
    STALE = "stale"
    FRESH = "fresh"
    CLUSTER_LEFT = "cluster_left"
    SLOW = "slow"
    LATE = "late"
    RETRY = "retry"


class Route(BaseModel):
    """A route of some occasions of some jobs to one channel.

    `namespaces`, `jobs` and `owners` are patterns such as `sales.*`; with `owners` only what one of
    them owns counts. Without `tasks` only top-level runs count. `secret` signs requests to a
    webhook.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    on: tuple[Occasion, ...] = Field(min_length=1)  # the occasions that it takes
    to: SecretStr  # the address, never shown
    name: OutboxName | None = None  # name of the channel; None: made
    namespaces: tuple[str, ...] = ("*",)  # patterns of the job's namespace
    jobs: tuple[str, ...] = ("*",)  # patterns of the job's full name
    owners: tuple[str, ...] = ()  # patterns of an owner; empty for whoever owns it
    tasks: bool = False  # whether it takes runs of tasks too
    secret: SecretStr | None = None  # key that signs requests to a webhook

    @field_validator("to")
    @classmethod
    def _has_scheme(cls, to: SecretStr) -> SecretStr:
        if _scheme(to) not in SCHEMES or not re.fullmatch(r"[!-~]+", to.get_secret_value()):
            raise ValueError(f"must begin with one of {', '.join(f'{s}:' for s in SCHEMES)}")
        return to

    @field_validator("secret")
    @classmethod
    def _is_base64(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret and len(_decoded(secret)) < _LEAST_SECRET:
            raise ValueError(
                f"must be {_LEAST_SECRET} bytes or more in base64, as `openssl rand -base64 32` "
                "makes them"
            )
        return secret

    @property
    def channel(self) -> str:
        """Return the name of its channel, which does not reveal the address."""
        if self.name:
            return self.name
        hashed = hashlib.sha256(self.to.get_secret_value().encode()).hexdigest()
        return f"{_scheme(self.to)}-{hashed[:8]}"

    @property
    def key(self) -> bytes | None:
        """Return the signing key."""
        return _decoded(self.secret) if self.secret else None

    def _is_owner(self, owners: Sequence[str]) -> bool:
        return any(fnmatchcase(owner, pattern) for owner in owners for pattern in self.owners)

    def takes(
        self,
        occasion: Occasion,
        namespace: str,
        job: str,
        owners: Sequence[str] = (),
        *,
        is_top: bool,
    ) -> bool:
        """Return whether the route takes that occasion of that job, which has those owners."""
        return (
            occasion in self.on
            and (is_top or self.tasks)
            and any(fnmatchcase(namespace, pattern) for pattern in self.namespaces)
            and any(fnmatchcase(job, pattern) for pattern in self.jobs)
            and (not self.owners or self._is_owner(owners))
        )


def wanted_occasions(routes: Sequence[Route]) -> set[Occasion]:
    """Return the occasions that any of some routes takes."""
    return {occasion for route in routes for occasion in route.on}


def _scheme(to: SecretStr) -> str:
    return to.get_secret_value().partition(":")[0].lower()


def _decoded(secret: SecretStr) -> bytes:
    text = secret.get_secret_value().removeprefix(_SECRET_PREFIX)
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""


def _check_names(routes: tuple[Route, ...]) -> tuple[Route, ...]:
    """Check the routes: several may share a channel, but two channels may not share a name."""
    channels: dict[str, Route] = {}
    for route in routes:
        first = channels.setdefault(route.channel, route)
        if (first.to, first.secret) != (route.to, route.secret):
            raise ValueError(f"two routes are named {route.channel} but have different addresses")
    return routes


Routes = Annotated[tuple[Route, ...], AfterValidator(_check_names)]
