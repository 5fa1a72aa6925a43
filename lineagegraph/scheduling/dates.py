"""What a pipeline's start and end dates leave out of a backfill."""

from datetime import date, datetime

from lineagegraph.errors import BackfillRefused
from lineagegraph.model.definition import Pipeline


def check_dates(pipeline: Pipeline, text: str) -> str:
    """Return a day or time, as ISO 8601; raise `BackfillRefused` where it is outside the dates.

    Days are compared with the days of the dates, as people at the place of the pipeline count them.
    """
    for bound, what, advice in (
        (pipeline.start_date, "start_date", "begin the range there"),
        (pipeline.end_date, "end_date", "end the range there"),
    ):
        if bound is not None and _is_outside(text, bound, is_start=what == "start_date"):
            raise BackfillRefused(
                f"{text} is {'before' if what == 'start_date' else 'after'} the {what} of "
                f"{pipeline.name}, {bound.isoformat(timespec='seconds')}: {advice}"
            )
    return text


def _is_outside(text: str, bound: datetime, *, is_start: bool) -> bool:
    at: date = date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    limit: date = bound if isinstance(at, datetime) else bound.date()
    return at < limit if is_start else at > limit
