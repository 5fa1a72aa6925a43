"""Times in queries."""

from datetime import UTC, datetime

from starlette.requests import Request

from lineagegraph.http.refusal import RequestRefused


def time_of(request: Request, name: str) -> datetime | None:
    """Return the time that a query parameter has, in UTC if it has no zone; or 400.

    An empty one is none: Marquez's web UI sends those.
    """
    text = request.query_params.get(name)
    if not text:
        return None
    try:
        # A plus sign that was not percent-encoded arrives as a space.
        time = datetime.fromisoformat(text.replace(" ", "+"))
        return time.replace(tzinfo=time.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise RequestRefused(400, f"{name} is no ISO 8601 time", name) from None
