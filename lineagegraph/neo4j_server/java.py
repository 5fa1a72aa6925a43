"""A Java that Neo4j and Spark both run on, found on this machine."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from lineagegraph.errors import JavaMissing
from lineagegraph.settings import Settings

OLDEST = 17

_COMMON_PLACES = (
    "/usr/lib/jvm/*",
    "/opt/java/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
)


def find_java(settings: Settings) -> Path | None:
    """Return the home of the first Java that is new enough.

    If the settings name one, it is that one or `JavaMissing`.
    """
    named = settings.java_home
    if named is None:
        return next(filter(_is_new_enough, _homes(settings)), None)
    if _is_new_enough(named):
        # Processes that take it run in other folders.
        return named.absolute()
    raise JavaMissing(
        f"LINEAGEGRAPH_JAVA_HOME: {named} has no Java {OLDEST} or later; set another folder or "
        "unset it"
    )


def java_version(home: Path) -> int | None:
    """Return the major version of the Java at `home`, or `None` if none runs."""
    try:
        ran = subprocess.run(
            [home.absolute() / "bin" / "java", "-version"],
            capture_output=True,
            text=True,
            timeout=30,
            # Java does not start in a folder that was deleted.
            cwd="/",
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return parse_version(ran.stderr + ran.stdout)


def parse_version(printed: str) -> int | None:
    """Return the major version in the output of `java -version`; `1.8` is 8."""
    found = re.search(r'version "(?:1\.)?(\d+)', printed)
    return int(found.group(1)) if found else None


def _is_new_enough(home: Path) -> bool:
    version = java_version(home)
    return version is not None and version >= OLDEST


def _homes(settings: Settings) -> Iterator[Path]:
    if named := os.environ.get("JAVA_HOME"):
        yield Path(named).absolute()
    if command := shutil.which("java"):
        yield Path(command).resolve().parent.parent
    yield from fetched_homes(settings)
    for pattern in _COMMON_PLACES:
        yield from sorted(Path("/").glob(pattern.removeprefix("/")), reverse=True)


def fetched_homes(settings: Settings) -> list[Path]:
    """Return the homes of fetched Javas."""
    return [each.parent.parent for each in fetched_folder(settings).glob("*/bin/java")]


def fetched_folder(settings: Settings) -> Path:
    """Return the folder with one entry, a home, for each Java that was fetched."""
    return settings.cache.absolute() / "java"
