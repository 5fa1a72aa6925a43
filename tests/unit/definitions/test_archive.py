"""Archives of sources."""

import io
import os
import zipfile
from hashlib import sha256

import pytest

from lineagegraph.errors import DefinitionError
from lineagegraph.project.archive import contents, pack, unpack


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    (root / "etl").mkdir(parents=True)
    (root / "etl/nyc.py").write_bytes(b"x = 1\r\n")
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    return root


def files(root):
    return [path for path in root.rglob("*") if path.is_file()]


def test_the_same_files_give_the_same_bytes_whenever_they_were_written(project):
    first = pack(project, files(project))
    for path in files(project):
        os.utime(path, (1, 1))
    assert pack(project, reversed(files(project))) == first
    assert first.sha256 == sha256(first.content).hexdigest()
    assert list(first.files) == ["etl/nyc.py", "run.sh"]


def test_what_was_packed_is_unpacked(project, tmp_path):
    source = pack(project, files(project))
    unpack(source.content, tmp_path / "out")
    assert (tmp_path / "out/etl/nyc.py").read_bytes() == b"x = 1\r\n"
    assert os.access(tmp_path / "out/run.sh", os.X_OK)
    assert contents(source)["etl/nyc.py"] == b"x = 1\r\n"


def test_too_much_is_refused_naming_the_largest(project):
    (project / "big.jar").write_bytes(b"0" * 100)
    with pytest.raises(
        DefinitionError,
        match=r"^big\.jar: this is the largest of the definition's files, which have 117",
    ):
        pack(project, files(project), most=10)


def zipped(name: str, content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["../evil.py", "/evil.py", "a/../../evil.py"])
def test_nothing_is_written_outside_the_folder(tmp_path, name):
    folder = tmp_path / "deep/out"
    unpack(zipped(name, b"x"), folder)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(path.is_relative_to(folder) for path in written)


def test_a_bomb_is_refused(tmp_path):
    with pytest.raises(DefinitionError, match="more than"):
        unpack(zipped("a.py", b"0" * 100_000), tmp_path)


@pytest.mark.parametrize("content", [b"", b"nonsense"])
def test_a_damaged_archive_is_refused(tmp_path, content):
    with pytest.raises(DefinitionError, match="cannot be read"):
        unpack(content, tmp_path)
