"""The browser that tests of pages drive: Chromium, as Debian packages it.

`python -m tests.chromium` installs it where it is missing and that can be done.
"""

import os
import shutil
import subprocess
import sys

_HOW = "install the package chromium, or name a Chromium by LINEAGEGRAPH_CHROMIUM"


def find_chromium() -> str | None:
    """Return the path of the browser."""
    return os.environ.get("LINEAGEGRAPH_CHROMIUM") or shutil.which("chromium")


def chromium() -> str:
    """Return the path of the browser; without one, tests of pages fail."""
    found = find_chromium()
    assert found, f"tests of pages need a browser: {_HOW}"
    return found


def _install() -> str | None:
    """Install it, and return what is wrong where it cannot be."""
    if find_chromium():
        return None
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return f"tests of pages need a browser: {_HOW}"
    print("installing the browser that tests of pages drive (half a minute)", flush=True)
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        done = subprocess.run(
            ["apt-get", "--quiet", *words], env=quiet, check=False, capture_output=True, text=True
        )
        if done.returncode:
            return f"apt-get {words[0]} failed: {done.stderr.strip()[-300:]}; {_HOW}"
    return None


if __name__ == "__main__":
    sys.exit(_install())
