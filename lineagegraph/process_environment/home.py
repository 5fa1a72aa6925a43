"""The home folder, which only its user can read."""

from pathlib import Path


def make_home(home: Path) -> Path:
    """Create the home folder with mode 0700, and return it; an existing one keeps its mode."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return home
