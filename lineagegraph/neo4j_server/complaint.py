"""Why a server ended, in its own words."""

from pathlib import Path

from lineagegraph.neo4j_server.folder import Folder

_BEGINS = "INFO  Starting..."


def last_complaint(folder: Folder) -> str:
    """Return the last error in the log of the latest start, or in Java's output, with the file."""
    errors = [line for line in _since_start(folder.log) if " ERROR " in line]
    if errors:
        return f"{errors[-1].split(' ERROR ', 1)[1].strip()} (see {folder.log})"
    printed = [line for line in _lines(folder.output) if line.strip()]
    return f"{printed[0] if printed else 'it printed nothing'} (see {folder.output})"


def _since_start(log: Path) -> list[str]:
    lines = _lines(log)
    begins = [number for number, line in enumerate(lines) if line.endswith(_BEGINS)]
    return lines[begins[-1] :] if begins else lines


def _lines(file: Path) -> list[str]:
    return file.read_text(errors="replace").splitlines() if file.exists() else []
