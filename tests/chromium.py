"""The browser that tests of pages drive: Chromium, as Debian packages it.

`python -m tests.chromium` installs it where it is missing and that can be done.
"""

import os
import shutil
import subprocess
import sys

_HOW = "install the package {package}, or name one by {variable}"
# The package, and the variable that names another browser.
CHROMIUM = ("chromium", "LINEAGEGRAPH_CHROMIUM")


def find_browser(package: str, variable: str) -> str | None:
    """Return the path of a browser."""
    return os.environ.get(variable) or shutil.which(package)


def need_browser(package: str, variable: str) -> str:
    """Return the path of a browser; without one, tests of pages fail."""
    found = find_browser(package, variable)
    how = _HOW.format(package=package, variable=variable)
    assert found, f"tests of pages need a browser: {how}"
    return found


def chromium() -> str:
    """Return the path of Chromium."""
    return need_browser(*CHROMIUM)


def install(package: str, variable: str) -> str | None:
    """Install a browser, and return what is wrong where it cannot be."""
    if find_browser(package, variable):
        return None
    how = _HOW.format(package=package, variable=variable)
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return f"tests of pages need a browser: {how}"
    print(f"installing {package}, which tests of pages drive (half a minute)", flush=True)
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "--yes", "--no-install-recommends", package]):
        done = subprocess.run(
            ["apt-get", "--quiet", *words], env=quiet, check=False, capture_output=True, text=True
        )
        if done.returncode:
            return f"apt-get {words[0]} failed: {done.stderr.strip()[-300:]}; {how}"
    return None


if __name__ == "__main__":
    sys.exit(install(*CHROMIUM))
