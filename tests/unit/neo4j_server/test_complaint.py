"""Why a server ended, in its own words."""

from pathlib import Path

import pytest

from lineagegraph.neo4j_server.complaint import last_complaint
from lineagegraph.neo4j_server.folder import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path)
    folder.create()
    return folder


def test_the_last_error_since_the_latest_start_is_told(folder: Folder) -> None:
    folder.log.write_text(
        "2026-01-01 00:00:00.000+0000 INFO  Starting...\n"
        "2026-01-01 00:00:01.000+0000 ERROR an older one\n"
        "2026-01-02 00:00:00.000+0000 INFO  Starting...\n"
        "2026-01-02 00:00:01.000+0000 ERROR Failed to start\n"
    )
    assert last_complaint(folder) == f"Failed to start (see {folder.log})"


def test_what_java_printed_is_told_where_the_server_logged_no_error(folder: Folder) -> None:
    folder.log.write_text(
        "2026-01-01 00:00:01.000+0000 ERROR an older one\n"
        "2026-01-02 00:00:00.000+0000 INFO  Starting...\n"
    )
    folder.output.write_text("\nInvalid initial heap size: -Xms1x\nError: no JVM\n")
    expected = f"Invalid initial heap size: -Xms1x (see {folder.output})"
    assert last_complaint(folder) == expected


def test_silence_is_told_as_silence(folder: Folder) -> None:
    assert "printed nothing" in last_complaint(folder)
