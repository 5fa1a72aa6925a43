"""Secrets of pipelines: files of this machine that only its user reads, beside the graph."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.errors import RunError
from lineagegraph.model.names.keys import text_hash
from lineagegraph.model.typed import decode_json
from lineagegraph.neo4j_server.filelock import locked
from lineagegraph.neo4j_server.folder import write_whole
from lineagegraph.private_files import private_folder
from lineagegraph.settings import Settings


def keep_private(settings: Settings, key: str, values: Mapping[str, Any]) -> None:
    """Keep values by place, over older ones of the same places; a version may need the others."""
    if not values:
        return
    file = _file(settings, key)
    private_folder(settings.home)
    private_folder(file.parent)
    with locked(file.with_suffix(".lock")):
        known = read_private(settings, key)
        if known | dict(values) != known:
            write_whole(file, msgspec.json.encode(known | dict(values), order="sorted").decode())


def read_private(settings: Settings, key: str) -> dict[str, Any]:
    """Return the values by place; none if this machine has none."""
    file = _file(settings, key)
    try:
        return decode_json(file.read_bytes(), into=dict[str, Any])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise RunError(f"{file} cannot be read: {error}: delete it and sync again") from None


def drop_private(settings: Settings, key: str) -> None:
    """Forget the values of a key."""
    for suffix in (".json", ".lock"):
        _file(settings, key).with_suffix(suffix).unlink(missing_ok=True)


def _file(settings: Settings, key: str) -> Path:
    return settings.home / "private" / f"{text_hash(key)[:32]}.json"
