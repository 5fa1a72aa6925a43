"""Terms of freshness that can be used, or one line that says why not."""

from math import isfinite

from lineagegraph.errors import InvalidFreshness, InvalidRule
from lineagegraph.model.cron import check_cron, check_zone
from lineagegraph.model.fresh_state import Terms
from lineagegraph.model.freshness import DAY, POINTS

_CENTURY = 100 * 365 * 86400.0


def checked_terms(terms: Terms) -> Terms:
    """Return terms that something can be judged by; raise `InvalidFreshness` for others."""
    fresh = terms.freshness
    if fresh.max_age is None and fresh.since is None:
        raise InvalidFreshness("terms of freshness have a max age, a since, or both")
    if fresh.max_age is not None and not _is_length(fresh.max_age, least=1e-3):
        raise InvalidFreshness(f"max age {fresh.max_age:g} s: it is more than 0, up to a century")
    if not _is_length(terms.grace, least=0):
        raise InvalidFreshness(f"grace {terms.grace:g} s: it is 0 or more, up to a century")
    try:
        _check_since(fresh.since, fresh.zone)
    except InvalidRule as error:
        raise InvalidFreshness(f"{error}") from None
    return terms


def _check_since(since: str | None, zone: str | None) -> None:
    if since is not None and since != DAY and since not in POINTS:
        if len(since.split()) != 5:
            raise InvalidFreshness(f"since {since!r}: it is day, hour or a cron expression")
        check_cron(since, zone or "UTC")
    if zone is not None:
        check_zone(zone)


def _is_length(seconds: float, least: float) -> bool:
    return isfinite(seconds) and least <= seconds <= _CENTURY
