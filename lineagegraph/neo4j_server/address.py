"""The address and user of a live server."""

from dataclasses import dataclass, field

from lineagegraph.neo4j_server.folder import Folder
from lineagegraph.neo4j_server.owner import find_owner
from lineagegraph.neo4j_server.password import USER, read_password
from lineagegraph.neo4j_server.ports import Ports, remembered


@dataclass(frozen=True)
class ServerAddress:
    """The address of a managed server; in `browser` the user is filled in already."""

    bolt: str
    browser: str
    user: str
    password: str = field(repr=False)
    pid: int


def find_address(folder: Folder) -> ServerAddress | None:
    """Return the address of the live server of `folder`, if there is one."""
    owner = find_owner(folder)
    ports = remembered(folder.ports_file)
    if owner is None or ports is None:
        return None
    return ServerAddress(
        bolt=_bolt_of(ports),
        browser=browser_of(ports),
        user=USER,
        password=read_password(folder),
        pid=owner.pid,
    )


def find_bolt(folder: Folder) -> str | None:
    """Return the URI of the live server of `folder`, if there is one."""
    ports = remembered(folder.ports_file) if find_owner(folder) else None
    return _bolt_of(ports) if ports else None


def _bolt_of(ports: Ports) -> str:
    return f"bolt://127.0.0.1:{ports.bolt}"


def browser_of(ports: Ports) -> str:
    """Return the address of Browser on a managed server."""
    connect = f"connectURL=bolt://{USER}@localhost:{ports.bolt}"
    return f"http://localhost:{ports.http}/browser/guides/open.html?{connect}"
