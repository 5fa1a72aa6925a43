"""The data of a run, at the versions that it used."""

from collections.abc import Container, Iterable

import msgspec

from lineagegraph.store.jobs.details import RunUseRow


class DataAsWas(msgspec.Struct, frozen=True):
    """A dataset, the key of the version that was read or written, and the run that wrote that.

    Data without a known writer has no version.
    """

    namespace: str
    name: str
    version: str | None
    writer: str | None
    row_count: int | None
    size: int | None


def take_inputs(reads: Iterable[RunUseRow], inside: Container[str]) -> tuple[DataAsWas, ...]:
    """Return the reads, each version once, without data that runs `inside` wrote."""
    return _each_once(use for use in reads if use.writer not in inside)


def take_outputs(writes: Iterable[RunUseRow]) -> tuple[DataAsWas, ...]:
    """Return the writes, each version once."""
    return _each_once(writes)


def _each_once(uses: Iterable[RunUseRow]) -> tuple[DataAsWas, ...]:
    found = {(use.namespace, use.name, use.version or ""): _data(use) for use in uses}
    return tuple(found[name] for name in sorted(found))


def _data(use: RunUseRow) -> DataAsWas:
    return DataAsWas(use.namespace, use.name, use.version, use.writer, use.row_count, use.size)
