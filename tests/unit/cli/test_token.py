"""What a token may do is said in full, or the command is refused before anything is made."""

import pytest
from typer.testing import CliRunner

from lineagegraph.cli.operate import token


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--role", "own", "--namespace", "*"], "use one of read, write, operate"),
        (["--role", "read"], "--namespace"),
        (["--role", "read:shop", "--role", "write"], "role 'write' needs"),
        ([], "--role"),
    ],
)
def test_a_role_is_given_with_its_namespaces(words: list[str], said: str) -> None:
    done = CliRunner().invoke(token.app, ["add", "ci", *words], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert said in done.output
