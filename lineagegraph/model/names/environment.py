"""Names of environment variables, and patterns for them."""

import re

_PATTERN = re.compile(r"[A-Za-z_*?][A-Za-z0-9_*?]*")


def check_pattern(pattern: str) -> str:
    """Return a name or a pattern with * and ?; raise `ValueError` for any other text."""
    if not _PATTERN.fullmatch(pattern):
        raise ValueError(f"{pattern!r} is not the name of a variable, or a pattern such as 'AWS_*'")
    return pattern
