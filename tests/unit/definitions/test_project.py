"""Which files a project consists of."""

import sys
from types import ModuleType

import pytest

from lineagegraph.errors import NotFound
from lineagegraph.project import loaded
from lineagegraph.project.loaded import loaded_modules, share_loaded
from lineagegraph.project.root import find_root
from lineagegraph.reading.definition_files import find_definitions


def test_only_own_files_that_mention_lineagegraph_are_definitions(root, write):
    write("a.py", "")
    write(".hidden/b.py", "")
    write("__pycache__/c.py", "")
    write("env/lib/d.py", "")
    (root / "env/pyvenv.cfg").touch()
    (root / "e.py").write_text("x = 1\n")
    assert find_definitions(root) == [root / "a.py"]


def test_a_path_that_is_not_there_is_said(root):
    with pytest.raises(NotFound, match="no such file or folder"):
        find_definitions(root / "nothing")


def test_the_root_is_where_the_project_begins(root, write):
    file = write("etl/deep/a.py", "")
    assert find_root(file) == find_root(root / "etl") == root


def test_modules_loaded_before_are_shared_and_later_ones_are_the_projects(monkeypatch):
    monkeypatch.setattr(loaded, "_last_shared", "")
    everything = loaded_modules()
    assert set(everything) >= {sys, loaded}
    share_loaded()
    assert loaded_modules() == []
    first, second = ModuleType("first"), ModuleType("second")
    monkeypatch.setitem(sys.modules, "first", first)
    monkeypatch.setitem(sys.modules, "second", second)
    assert loaded_modules() == [first, second]
