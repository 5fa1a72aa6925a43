"""Named connections: in a private file or in the environment, not in the graph."""

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from lineagegraph.errors import ConnectionNotSet, InvalidConnection
from lineagegraph.model.names.nearest import did_you_mean
from lineagegraph.model.typed import decode_json
from lineagegraph.neo4j_server.filelock import locked
from lineagegraph.neo4j_server.folder import write_whole
from lineagegraph.private_files import private_folder
from lineagegraph.process_environment.handover import inherited_environment
from lineagegraph.secrets import MASK, mask_text
from lineagegraph.sensors.connection import Connection, read_connection

PREFIX = "LINEAGEGRAPH_CONNECTION_"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_NO_WORD = re.compile(r"[^A-Za-z0-9]")


def checked_name(name: str) -> str:
    """Return the name of a connection; raise `InvalidConnection` if it is malformed."""
    if not _NAME.fullmatch(name):
        raise InvalidConnection(
            f"{name[:60]!r} is not a valid connection name: use letters, digits and . _ -, up to "
            "100"
        )
    return name


class Connections:
    """Those of an installation; the environment's come before those of the file."""

    def __init__(self, home: Path, environment: Mapping[str, str] | None = None) -> None:
        self._file = home / "connections.json"
        self._environment = inherited_environment() if environment is None else environment
        self._secrets: set[str] = set()

    def find(self, name: str) -> Connection:
        """Return a connection; raise `ConnectionNotSet` if there is none of that name."""
        said = self._environment.get(variable_of(checked_name(name))) or self._read().get(name)
        if said is None:
            near = did_you_mean(name, self.names())
            raise ConnectionNotSet(
                f"connection {name} is not set here{near}: `lineagegraph connection set {name}` "
                f"sets it, or {variable_of(name)} in the environment"
            )
        found = read_connection(name, said)
        self._secrets |= found.secrets()
        return found

    def names(self) -> dict[str, str]:
        """Return the names of all connections with their source: `file` or `environment`."""
        variables = [name for name in self._environment if name.startswith(PREFIX)]
        inside = dict.fromkeys(self._read(), "file")
        over = {variable_of(name): name for name in inside}
        return inside | {
            over.get(variable, variable.removeprefix(PREFIX).lower()): "environment"
            for variable in variables
        }

    def set(self, name: str, said: str) -> None:
        """Keep a connection in the file, over the one that it may have."""
        read_connection(checked_name(name), said)
        self._change({name: said.strip()}, ())

    def unset(self, name: str) -> None:
        """Remove a connection from the file; raise `ConnectionNotSet` if it has none."""
        if checked_name(name) not in self._read():
            raise ConnectionNotSet(f"connection {name} is not set in {self._file}")
        self._change({}, (name,))

    def mask(self, text: str) -> str:
        """Return a text without secrets, also those of all connections that were found so far."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, MASK)
        return mask_text(text)

    def _change(self, new: Mapping[str, str], gone: tuple[str, ...]) -> None:
        private_folder(self._file.parent)
        with locked(self._file.with_suffix(".lock")):
            kept = {name: said for name, said in self._read().items() if name not in gone}
            content = msgspec.json.encode({**kept, **new}, order="sorted")
            write_whole(self._file, msgspec.json.format(content).decode())

    def _read(self) -> dict[str, str]:
        try:
            return decode_json(self._file.read_bytes(), into=dict[str, str])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError) as error:
            raise InvalidConnection(f"{self._file} cannot be read: {error}") from None


def variable_of(name: str) -> str:
    """Return the name of the variable of the environment that a connection may be set by."""
    return PREFIX + _NO_WORD.sub("_", name).upper()
