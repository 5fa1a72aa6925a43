"""Which old runs of a job stay so that the job keeps all that was ever known of it."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from lineagegraph.ingest.dependencies import AFTER_JOB, BEFORE_JOB
from lineagegraph.ingest.projection import written_at
from lineagegraph.model.runs.facts import RunFacts, Use, decode_facts
from lineagegraph.store.admin.retention import OldRun

Feature = tuple[Any, ...]


class Witnesses:
    """Goes over the old runs of one job, the newest first, and takes those that show news.

    So of each input, output and facet of column lineage the newest old run stays, and with it the
    edge, also as it was at any time since the runs grew old. `written` has the time of the latest
    version that stays, by dataset.
    """

    def __init__(self, written: dict[str, datetime]) -> None:
        self._seen: set[Feature] = set()
        self._written = written

    def shows_news(self, run: OldRun) -> bool:
        """Return whether a run has a feature that no newer run has, or a condition holds it."""
        facts = decode_facts(run.facts, RunFacts).effective if run.facts else RunFacts()
        written = _written_outputs(run, facts)
        news = set(_features(run, facts, written)) - self._seen
        if not news and not run.held:
            return False
        self._seen |= news
        for key, at in written.items():
            self._written[key] = max(at, self._written.get(key, at))
        return True


def _written_outputs(run: OldRun, facts: RunFacts) -> dict[str, datetime]:
    """Return when the outputs that got new data became true."""
    times = {key: written_at(run.state, facts, use) for key, use in facts.outputs.items()}
    return {key: datetime.fromisoformat(at) for key, at in times.items() if at}


def _features(run: OldRun, facts: RunFacts, written: Collection[str]) -> Iterator[Feature]:
    yield ("placed", run.adopted)
    yield ("kind", facts.get("kind"))
    yield ("reported", bool(facts.times))
    for key in facts.inputs:
        yield ("reads", key)
    for key, use in facts.outputs.items():
        yield from _output_features(key, use, key in written)
    for said in facts.said:
        if said.startswith(("job:", AFTER_JOB, BEFORE_JOB)):
            yield ("says", said)


def _output_features(key: str, use: Use, has_data: bool) -> Iterator[Feature]:
    yield ("writes", key)
    yield ("wrote", key, has_data)
    for hash_ in use.columns:
        yield ("columns", key, hash_)
