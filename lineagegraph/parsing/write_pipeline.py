"""A pipeline that was read, with its version and triggers, into the graph."""

import msgspec

from lineagegraph.definitions.parser import ParsedPipeline
from lineagegraph.definitions.write_version import write_version
from lineagegraph.graph import Transaction
from lineagegraph.scheduling import write_definition
from lineagegraph.store import versions


class Synced(msgspec.Struct, frozen=True):
    """One pipeline that was read, and whether its version is new."""

    pipeline: str
    version: str
    is_new: bool
    file: str


def write_pipeline(tx: Transaction, parsed: ParsedPipeline, *, application: str) -> Synced:
    """Make a version the current one, and its triggers those of the pipeline."""
    version, source = parsed.version, parsed.source
    written = write_version(
        tx,
        version,
        application=application,
        archive=source.content,
        files=source.files,
        code=parsed.code,
        url=source.url,
    )
    if parsed.git:
        versions.set_git(tx, hash=version.hash, **msgspec.structs.asdict(parsed.git))
    write_definition(tx, version.pipeline, starts=written.job_key)
    return Synced(version.pipeline.name, version.hash, written.is_new, version.file)
