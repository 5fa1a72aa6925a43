"""Programs at a terminal."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress


def written_at_terminal(*words: str, environment: Mapping[str, str]) -> str:
    """Run this Python with some words at a terminal, and return what it writes there."""
    near, far = pty.openpty()
    with subprocess.Popen([sys.executable, *words], env=environment, stdout=far):
        os.close(far)
        text = b""
        # A terminal that nobody writes to any longer is an error to whom reads from it.
        with suppress(OSError):
            while part := os.read(near, 65536):
                text += part
    os.close(near)
    return text.decode()
