"""The generated password, and the file from which a new server takes it."""

import hashlib
import secrets

from lineagegraph.neo4j_server.folder import Folder, write_whole

USER = "neo4j"

_ITERATIONS = 1024


def read_password(folder: Folder) -> str:
    """Return the password of the server in `folder`, creating one if there is none."""
    if not folder.password_file.exists():
        write_whole(folder.password_file, secrets.token_urlsafe(18))
    return folder.password_file.read_text().strip()


def set_initial_password(folder: Folder) -> None:
    """Give the password to a server at its first start; a later start ignores it.

    The server reads it before it takes connections, so no start ever has the default password.
    """
    salt = secrets.token_bytes(32)
    digest = hashlib.sha256(salt + read_password(folder).encode()).digest()
    for _ in range(_ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    file = folder.data / "dbms" / "auth.ini"
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(file, f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{_ITERATIONS}:\n")
