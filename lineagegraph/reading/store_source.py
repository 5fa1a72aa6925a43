"""What is settled about a pipeline that was read, before it is written."""

from pathlib import Path

import msgspec

from lineagegraph.code.git import git_state
from lineagegraph.reading.parser import ParsedPipeline
from lineagegraph.settings import Settings
from lineagegraph.store.pipelines.archives import keep_source


def place(parsed: ParsedPipeline, settings: Settings) -> ParsedPipeline:
    """Return a pipeline with the state of its repository, and its files put where they are kept.

    Call it before the transaction that writes the pipeline.
    """
    source = parsed.source
    url = keep_source(settings, source.sha256, source.content).url
    placed = msgspec.structs.replace(source, url=url)
    git = git_state(Path(parsed.version.root))
    return msgspec.structs.replace(parsed, source=placed, git=git)
