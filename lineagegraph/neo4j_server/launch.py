"""The server's process: detached, and holding the lock of its folder for as long as it lives."""

import errno
import os
import subprocess
from pathlib import Path

from lineagegraph.neo4j_server.configuration import java_options
from lineagegraph.neo4j_server.folder import Folder
from lineagegraph.neo4j_server.owner import home_argument
from lineagegraph.private_files import open_private
from lineagegraph.process_environment.chosen import BASE, choose
from lineagegraph.settings import Settings

_ENTRY_POINT = "org.neo4j.server.CommunityEntryPoint"
_IN_BACKGROUND = '"$@" & echo $! > "$0" || { kill -9 $!; wait; exit 1; }'
"""The shell notes the pid, so no end of ours, however sudden, leaves a server without a name.

Nor does a full disk, which does not take it.
"""


def launch(
    java_home: Path, class_path: list[Path], folder: Folder, settings: Settings, lock: int
) -> None:
    """Start the server in a session of its own; it inherits `lock`.

    Raises `OSError` if its pid cannot be noted.
    """
    command = [
        str(java_home / "bin" / "java"),
        *java_options(settings),
        _ENTRY_POINT,
        home_argument(folder),
        f"--config-dir={folder.conf}",
    ]
    with open_private(folder.output, "wb") as output:
        shell = subprocess.run(
            ["/bin/sh", "-c", _IN_BACKGROUND, str(folder.pid_file), *command],
            env=_environment(class_path),
            cwd=folder.root,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=[lock],
            start_new_session=True,
            umask=0o077,
            check=False,
        )
    if shell.returncode:
        raise OSError(errno.EIO, "the process id was not written", str(folder.pid_file))


def _environment(class_path: list[Path]) -> dict[str, str]:
    own = choose(os.environ, (*BASE, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"))
    return own | {"CLASSPATH": os.pathsep.join(map(str, class_path))}
