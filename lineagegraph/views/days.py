"""Days: the critical path of one, and what differs between two."""

from lineagegraph.queries.analysis import compare_days, read_critical_path
from lineagegraph.queries.analysis.critical_path import CriticalPath
from lineagegraph.queries.analysis.days_compared import DaysCompared
from lineagegraph.views.view import View


class DaysView(View):
    """The work of days; a day is `2026-01-31`, a weekday, `yesterday` or `today`."""

    def answer_path(self, day: str = "today") -> CriticalPath:
        """Return the chain of work and waits that determined when a day's work ended."""
        return read_critical_path(self._graph, day, self._settings.zone)

    def answer_compare(self, before: str = "yesterday", after: str = "today") -> DaysCompared:
        """Return what differs between the runs of two days, job by job."""
        return compare_days(self._graph, before, after, self._settings.zone)
