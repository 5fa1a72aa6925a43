"""The generated password."""

import hashlib
from pathlib import Path

from lineagegraph.neo4j_server.folder import Folder
from lineagegraph.neo4j_server.password import read_password, set_initial_password


def test_a_password_is_made_once_and_only_the_user_can_read_it(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    password = read_password(folder)
    assert len(password) >= 20
    assert read_password(folder) == password
    assert folder.password_file.stat().st_mode & 0o777 == 0o600


def test_the_server_is_told_a_salted_hash_and_not_the_password(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    set_initial_password(folder)
    file = folder.data / "dbms" / "auth.ini"
    user, credential, _ = file.read_text().split(":", 2)
    _, digest, salt, iterations = [*credential.split(","), "1"][:4]
    expected = bytes.fromhex(salt) + read_password(folder).encode()
    for _ in range(int(iterations)):
        expected = hashlib.sha256(expected).digest()
    assert (user, digest) == ("neo4j", expected.hex())
    assert file.stat().st_mode & 0o777 == 0o600
