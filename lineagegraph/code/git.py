"""The state of the git repository around a project."""

import os
import subprocess
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import msgspec

_PATIENCE_SECONDS = 5.0
# A repository may configure a program for fsmonitor: do not run it.
_GIT = ("git", "--no-optional-locks", "-c", "core.fsmonitor=false")
_QUIET = {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


class GitState(msgspec.Struct, frozen=True):
    """A commit, and whether files of the project differ from it, untracked ones included."""

    commit: str
    branch: str | None
    dirty: bool
    remote: str | None


def git_state(root: Path) -> GitState | None:
    """Return the state of the repository around a project; None without one, or without git.

    In a huge repository git takes seconds: ask once for all definitions that are read together.
    """
    output = _ask(root, "status", "--porcelain=v2", "--branch", "--", ".")
    if output is None:
        return None
    lines = output.splitlines()
    about = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# branch."))
    commit, branch = about.get("branch.oid", ""), about.get("branch.head")
    if not commit or commit == "(initial)":
        return None
    return GitState(
        commit=commit,
        branch=None if branch == "(detached)" else branch,
        dirty=any(not line.startswith("#") for line in lines),
        remote=_without_credentials(_ask(root, "config", "--get", "remote.origin.url")),
    )


def _ask(root: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            [*_GIT, *words],
            cwd=root,
            env={k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | _QUIET,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def _without_credentials(output: str | None) -> str | None:
    """Return a remote's address without `user:token@`."""
    url = (output or "").strip()
    if "://" not in url:
        return url or None
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that are no address of IPv6
        return None
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
