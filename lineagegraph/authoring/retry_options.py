"""The options that decide when a failed task is attempted again."""

from __future__ import annotations

from math import isfinite
from typing import TypedDict, Unpack

from lineagegraph.authoring.checked_values import Duration, bounded_seconds, seconds
from lineagegraph.authoring.origin import Origin
from lineagegraph.errors import DefinitionError


class RetryOptions(TypedDict, total=False):
    """The options about further attempts."""

    #: number of attempts after the first failed one
    retries: int
    #: time before such an attempt
    retry_delay: Duration
    #: factor of that time before each further attempt
    retry_backoff: float
    #: part of `retry_delay` of which a random piece is added to each such time
    retry_jitter: float
    #: limit of such a time, without the random piece
    max_retry_delay: Duration


RETRY_DEFAULTS = RetryOptions(
    retries=0, retry_delay=0, retry_backoff=2.0, retry_jitter=0.25, max_retry_delay="1h"
)


class RetryFields(TypedDict):
    """The fields of a `Handle` about further attempts."""

    #: number of attempts after the first failed one
    retries: int
    #: seconds before such an attempt
    retry_delay: float
    #: factor of that delay before each further attempt
    retry_backoff: float
    #: part of the first delay of which a random piece is added
    retry_jitter: float
    #: seconds that a delay may have, without the random piece
    max_retry_delay: float


def checked_retry(origin: Origin, **options: Unpack[RetryOptions]) -> RetryFields:
    """Check the options about further attempts, and return them as fields of a handle."""
    given = RETRY_DEFAULTS | options
    delay, limit = given["retry_delay"], given["max_retry_delay"]
    return RetryFields(
        retries=checked_retries(given["retries"], origin.at("retries")),
        retry_delay=seconds(delay, "retry_delay", origin.at("retry_delay")),
        retry_backoff=checked_number("retry_backoff", given["retry_backoff"], 1.0, origin),
        retry_jitter=checked_number("retry_jitter", given["retry_jitter"], 0.0, origin),
        max_retry_delay=bounded_seconds(limit, "max_retry_delay", origin.at("max_retry_delay")),
    )


def checked_retries(retries: object, origin: Origin) -> int:
    """Return the number of attempts after the first failed one."""
    if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
        raise DefinitionError(f"{origin}: retries={retries!r} must be 0 or more")
    return retries


def checked_number(option: str, given: float, least: float, origin: Origin) -> float:
    """Return the number of an option, which is at least `least`."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not isfinite(given) or given < least:
        raise DefinitionError(
            f"{origin.at(option)}: {option}={given!r} must be a number from {least:g}"
        )
    return float(given)
