"""Packed files that are too large for the graph, put where the settings say."""

import msgspec

from lineagegraph.definitions.parser import ParsedPipeline
from lineagegraph.settings import Settings
from lineagegraph.store.archives import keep_source


def place(parsed: ParsedPipeline, settings: Settings) -> ParsedPipeline:
    """Return a pipeline whose packed files have their URL, if that is where they are kept.

    Call it before the transaction that writes the pipeline.
    """
    source = parsed.source
    url = keep_source(settings, source.sha256, source.content).url
    return msgspec.structs.replace(parsed, source=msgspec.structs.replace(source, url=url))
