"""Why the graph cannot take some of the triggers that are written together."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from lineagegraph.errors import GraphError, LineagegraphError


class UnusableTriggers(LineagegraphError):
    """Triggers that the graph cannot take: the reasons by the keys of the jobs that they start."""

    def __init__(self, reasons: Mapping[str, LineagegraphError]) -> None:
        super().__init__("; ".join(map(str, reasons.values())))
        self.reasons = reasons


class Refusals:
    """The first error of each job's triggers."""

    def __init__(self) -> None:
        self._reasons: dict[str, LineagegraphError] = {}

    def __contains__(self, starts: str) -> bool:
        return starts in self._reasons

    @contextmanager
    def of(self, starts: str) -> Iterator[None]:
        """Take an error as one of the triggers of a job, unless it is the graph's."""
        try:
            yield
        except GraphError:
            raise
        except LineagegraphError as error:
            self._reasons.setdefault(starts, error)

    def check(self) -> None:
        """Raise `UnusableTriggers` if there is an error."""
        if self._reasons:
            raise UnusableTriggers(self._reasons)


@contextmanager
def unwrapped() -> Iterator[None]:
    """Turn `UnusableTriggers` into the first reason."""
    try:
        yield
    except UnusableTriggers as error:
        raise next(iter(error.reasons.values())) from None
