"""The other browser that tests of the page drive: Firefox, as Debian packages it.

`python -m tests.firefox` installs it where it is missing and that can be done. Puppeteer drives it
by WebDriver BiDi: Playwright needs a Firefox of its own, or a later one than this.
"""

import sys

from tests.chromium import install, need_browser

_FIREFOX = ("firefox-esr", "LINEAGEGRAPH_FIREFOX")


def firefox() -> str:
    """Return the path of Firefox."""
    return need_browser(*_FIREFOX)


if __name__ == "__main__":
    sys.exit(install(*_FIREFOX))
