"""Known advisories about the locked packages, by pip-audit; skipped where the database is away.

`[tool.advisories]` of pyproject.toml has the ids of advisories to accept, each with a reason.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATABASE = os.environ.get("ADVISORY_DATABASE", "https://api.osv.dev/v1/query")
_SECONDS = 3.0
# In a process of its own: resolving a name has no time limit of its own.
_ASK = """
import sys, httpx2
query = {"package": {"name": "pip", "ecosystem": "PyPI"}, "version": "0"}
httpx2.post(sys.argv[1], json=query, timeout=2).raise_for_status()
"""


def main(folder: Path = ROOT) -> int:
    """Return 0 if there are none about a project's packages, or if they cannot be asked for."""
    accepted = read_accepted((folder / "pyproject.toml").read_text("utf-8"))
    if not _is_reachable():
        print("skipped")
        return 0
    ignored = [word for name in accepted for word in ("--ignore-vuln", name)]
    command = [sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--disable-pip"]
    command += ["--require-hashes", "--requirement", str(folder / "requirements.lock")]
    command += ["--vulnerability-service", "osv", "--osv-url", DATABASE, *ignored]
    return subprocess.run(command, check=False).returncode


def read_accepted(text: str) -> dict[str, str]:
    """Return the accepted advisories with their reasons; raise `ValueError` without a reason."""
    accepted: dict[str, str] = tomllib.loads(text)["tool"]["advisories"]
    for name, reason in accepted.items():
        if not reason.strip():
            raise ValueError(f"[tool.advisories] {name}: state why it is accepted")
    return accepted


def _is_reachable() -> bool:
    command = [sys.executable, "-c", _ASK, DATABASE]
    try:
        ended = subprocess.run(command, timeout=_SECONDS, capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
