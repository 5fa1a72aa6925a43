"""What is told of the git repository around a project."""

import shutil
import subprocess

import pytest

from lineagegraph.code import git
from lineagegraph.code.git import git_state

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="there is no git here")


@pytest.fixture
def repository(tmp_path):
    def ask(*words):
        said = ["-c", "user.name=t", "-c", "user.email=t@example.org", *words]
        done = subprocess.run(["git", *said], cwd=tmp_path, check=True, capture_output=True)
        return done.stdout.decode().strip()

    ask("init", "--initial-branch", "main")
    ask("remote", "add", "origin", "https://me:secret@example.org/etl.git?token=1")
    (tmp_path / "flows.py").write_text("x = 1")
    return tmp_path, ask


def test_a_commit_its_branch_and_what_is_not_committed_are_told(repository):
    root, ask = repository
    assert git_state(root) is None, "nothing is committed yet"
    ask("add", ".")
    ask("commit", "--message", "first")
    found = git_state(root)
    assert found == git.GitState(
        ask("rev-parse", "HEAD"), "main", False, "https://example.org/etl.git"
    )
    (root / "new.py").write_text("y = 2")
    assert git_state(root).dirty, "a file that git does not know counts"
    ask("checkout", "--detach")
    assert git_state(root).branch is None


def test_a_remote_that_is_no_url_is_not_told(repository):
    root, ask = repository
    ask("add", ".")
    ask("commit", "--message", "first")
    ask("remote", "set-url", "origin", "https://[team]/etl.git")
    assert git_state(root).remote is None


def test_without_git_or_with_a_broken_repository_nothing_is_told(repository, monkeypatch):
    root, _ = repository
    (root / ".git/HEAD").write_text("nonsense")
    assert git_state(root) is None
    monkeypatch.setenv("PATH", "")
    assert git_state(root) is None
    assert git_state(root / "missing") is None
