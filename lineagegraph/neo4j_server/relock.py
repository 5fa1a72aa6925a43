"""Write the lock again: `python -m lineagegraph.neo4j_server.relock FOLDER`.

FOLDER is laid out as a Maven repository and holds the runtime jars of `org.neo4j:neo4j` and
`org.neo4j.client:neo4j-browser`, for example as Maven's `dependency:copy-dependencies` writes them
with `-DincludeScope=runtime -Dmdep.useRepositoryLayout=true`.
"""

import hashlib
import sys
from pathlib import Path

from lineagegraph.neo4j_server.lock import Artifact, Lock, format_lock


def lock_of(folder: Path) -> Lock:
    """Return the lock of the jars below `folder`."""
    artifacts = tuple(_artifact(jar, folder) for jar in folder.rglob("*.jar"))
    return Lock(
        neo4j=_version(artifacts, "org.neo4j:neo4j:"),
        browser=_version(artifacts, "org.neo4j.client:neo4j-browser:"),
        artifacts=artifacts,
    )


def _artifact(jar: Path, folder: Path) -> Artifact:
    *group, name, version, _file = jar.relative_to(folder).parts
    classifier = jar.stem.removeprefix(f"{name}-{version}").removeprefix("-")
    coordinate = ":".join(filter(None, [".".join(group), name, version, classifier]))
    content = jar.read_bytes()
    return Artifact(coordinate, hashlib.sha256(content).hexdigest(), len(content))


def _version(artifacts: tuple[Artifact, ...], prefix: str) -> str:
    found = [each.coordinate for each in artifacts if each.coordinate.startswith(prefix)]
    return found[0].removeprefix(prefix)


if __name__ == "__main__":
    target = Path(__file__).with_name("neo4j.lock.json")
    target.write_text(format_lock(lock_of(Path(sys.argv[1]))))
