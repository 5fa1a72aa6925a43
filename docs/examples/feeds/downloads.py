"""The other team's: what is new on the FTP site goes into the staging area."""

import shutil
from pathlib import Path

import lineagegraph as lg

SITE, STAGING = Path("ftp"), Path("staging")


@lg.task(emits={"files": list})
def fetch(feed: str) -> None:
    """Copy new files, and emit their names."""
    target = STAGING / feed
    target.mkdir(parents=True, exist_ok=True)
    new = [file for file in sorted((SITE / feed).iterdir()) if not (target / file.name).exists()]
    lg.emit(files=[shutil.copy(file, target / file.name).as_posix() for file in new])


for name in ("bloomberg", "reuters"):
    lg.pipeline(f"download.{name}", namespace="market", tasks=[fetch], params={"feed": name})
