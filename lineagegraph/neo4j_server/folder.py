"""The folder of a managed server, below `LINEAGEGRAPH_HOME`."""

import os
from dataclasses import dataclass
from pathlib import Path

from lineagegraph.private_files import private_folder
from lineagegraph.settings import Settings


@dataclass(frozen=True)
class Folder:
    """The data folder of one server; at most one process owns it at a time."""

    root: Path

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def conf(self) -> Path:
        return self.root / "conf"

    @property
    def web(self) -> Path:
        """Neo4j Browser's pages with our guides among them, one folder for each version."""
        return self.root / "web"

    @property
    def imports(self) -> Path:
        """The only folder that `LOAD CSV` may read, if files are allowed at all: it is empty."""
        return self.root / "import"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def owner_lock(self) -> Path:
        """Held by the starting process, then by the server while it lives."""
        return self.run / "owner.lock"

    @property
    def pid_file(self) -> Path:
        return self.run / "owner.pid"

    @property
    def ports_file(self) -> Path:
        return self.root / "ports.json"

    @property
    def password_file(self) -> Path:
        return self.root / "password"

    @property
    def log(self) -> Path:
        return self.logs / "neo4j.log"

    @property
    def output(self) -> Path:
        """The output of the process, with Java's own errors."""
        return self.logs / "output.log"

    def create(self) -> None:
        """Make the folders that are not there yet, for the user's eyes only."""
        private_folder(self.root.parent)
        for each in (self.root, self.data, self.logs, self.conf, self.run, self.imports):
            private_folder(each)


def server_folder(settings: Settings) -> Folder:
    """Return the folder of the one server that `settings` name."""
    return Folder(settings.home.absolute() / "neo4j")


def write_whole(file: Path, text: str) -> None:
    """Write `text` so that a reader, or a crash, finds the old content or the new, mode 0600.

    An error of the disk names the file.
    """
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with open(part, "w", opener=_private) as target:
            target.write(text)
            target.flush()
            os.fsync(target.fileno())
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        error.filename = str(file)
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
