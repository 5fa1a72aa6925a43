"""The bodies and headers of requests that start runs."""

import re
from typing import Annotated, Any

import msgspec
from starlette.requests import Request

from lineagegraph.http.plumbing.answers import about
from lineagegraph.http.plumbing.operations import ApiParameter, error_reply
from lineagegraph.http.plumbing.refusal import RequestRefused
from lineagegraph.store.runs.launches import Options

_HEADER = "Idempotency-Key"
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
IDEMPOTENCY_KEY = ApiParameter(
    _HEADER,
    Annotated[str, msgspec.Meta(min_length=1, max_length=255)],
    "2026-03-02-nightly",
    "With the same key, the same request starts one run of a pipeline, however often it is sent.",
    place="header",
)

START_CONFLICT = error_reply(
    409,
    "StartConflict",
    "No file defines the pipeline any more, or another request had this key.",
)


class RunStartBody(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The parameters, tasks and version of a run to start."""

    params: Annotated[dict[str, Any], about("Values of parameters, by name.")] = {}
    tasks: Annotated[tuple[str, ...], about("Only these tasks, by their paths.")] = ()
    version: Annotated[
        str | None,
        about("A stored version, by 4 or more digits of its hash; null for the current one."),
    ] = None
    consume: Annotated[
        bool, about("Consume the pending occurrences of the pipeline's triggers.")
    ] = False
    force: Annotated[bool, about("Run a batch's tasks even if they are fresh.")] = False
    ignore_upstream: Annotated[
        bool, about("Run a batch's tasks whatever the state of their parents.")
    ] = False
    with_upstream: Annotated[bool, about("Also run stale parents in other batches.")] = False

    @property
    def options(self) -> Options:
        """The options of a batch."""
        return Options(
            force=self.force,
            ignore_upstream=self.ignore_upstream,
            with_upstream=self.with_upstream,
        )


def idempotency_key(request: Request) -> str | None:
    """Return the key of a request; None without one, and 400 for several or odd ones."""
    given = request.headers.getlist(_HEADER)
    if not given:
        return None
    if len(given) > 1 or not _KEY.fullmatch(given[0]):
        raise RequestRefused(
            400, f"{_HEADER} must be one text of 1 to 255 visible ASCII characters", _HEADER
        )
    return given[0]
