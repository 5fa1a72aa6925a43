"""From one version of a table to the next: a link is renamed over the one before."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from lineagegraph.errors import TableRefused
from lineagegraph.neo4j_server.filelock import held
from lineagegraph.spark.tables.place import TableFolder


def switch(
    place: TableFolder, version: Path, check: Callable[[], None], *, keep: Path | None
) -> None:
    """Make a version the one that counts; the caller has the table's lock.

    `keep` is the version whose files the new one has too. `check` is asked last.
    """
    if place.link.exists() and not place.link.is_symlink():
        raise TableRefused(f"table {place.name}: {place.link} is a folder that was not published")
    before = place.current
    if keep is not None:
        _link_files(keep, version)
    elif before is not None:
        _take_name(before, version)
    check()
    fresh = place.versions / f"{version.name}.link"
    fresh.symlink_to(version.relative_to(place.link.parent))
    fresh.replace(place.link)
    if before is not None:
        os.utime(before)  # from now on it is old


def sweep(place: TableFolder, seconds: float) -> None:
    """Remove old versions and the rests of dead writers; the caller has the lock."""
    current = place.current
    for found in list(place.versions.iterdir()):
        if found.is_symlink() or (found.suffix == ".lock" and not held(found)):
            found.unlink(missing_ok=True)
        elif found.is_dir() and found != current and _is_over(found, seconds):
            shutil.rmtree(found, ignore_errors=True)


def _is_over(version: Path, seconds: float) -> bool:
    return not held(lock_of(version)) and time.time() - version.stat().st_mtime > seconds


def lock_of(version: Path) -> Path:
    """Return the file that a version's writer locks while it writes."""
    return version.with_name(f"{version.name.partition('.')[0]}.lock")


def table_lock(place: TableFolder) -> Path:
    """Return the file that who switches a table locks."""
    return place.versions / "lock"


def data_files(version: Path) -> list[Path]:
    """Return the files with a version's rows, in their order."""
    return sorted(
        file
        for file in version.rglob("*")
        if file.is_file() and not any(p[0] in "._" for p in file.relative_to(version).parts)
    )


def drop_extras(version: Path) -> None:
    """Remove the checksums and marks that Hadoop leaves beside the files."""
    for file in (*version.rglob(".*.crc"), version / "_SUCCESS"):
        file.unlink(missing_ok=True)


def _link_files(source: Path, target: Path) -> None:
    for file in data_files(source):
        path = target / file.relative_to(source)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.hardlink_to(file)
        except FileExistsError:
            raise
        except OSError:
            shutil.copy2(file, path)


def _take_name(before: Path, version: Path) -> None:
    """Give the one file of a version the name of the file before.

    A reader that listed the old folder and opens the file only now gets all of the new one. With
    several files no name may be used again: a reader could mix them.
    """
    old, new = data_files(before), data_files(version)
    if len(old) == len(new) == 1 and old[0].parent == before and new[0].parent == version:
        new[0].rename(version / old[0].name)
