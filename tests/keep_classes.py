"""A Java's classes, kept for the next ones as it has loaded and verified them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.quick_java import QUICK_JAVA


@contextmanager
def keeping_classes(archive: Path) -> Iterator[str]:
    """Yield the options of the Java whose classes `archive` has from then on.

    It must have ended at the end of the block.
    """
    fresh = archive.with_suffix(".part")
    fresh.unlink(missing_ok=True)
    yield f"{QUICK_JAVA} -XX:ArchiveClassesAtExit={fresh} -Xlog:disable"
    # A Java without classes of its own to build on keeps none, or does not begin with the option.
    if fresh.exists():
        fresh.replace(archive)
    else:
        print(f"no {archive.name}: this Java keeps no classes, so the tests take longer")
