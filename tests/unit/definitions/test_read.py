"""Folders of definition files."""

import pytest

from lineagegraph.definitions.project import find_definitions, find_root
from lineagegraph.definitions.read import read_definitions
from lineagegraph.errors import NotFound
from lineagegraph.settings import Settings

ONE = 'lg.pipeline("{}", tasks=[lg.command("a", ["true"])])'


@pytest.fixture
def settings(tmp_path):
    return Settings(home=tmp_path / "home", parse_seconds=20)


def names(found):
    return [one.version.pipeline.name for one in found.pipelines]


def test_a_broken_file_does_not_stop_the_others(root, write, settings):
    write("a.py", ONE.format("a"))
    write("b.py", "1 / 0")
    write("c/d.py", ONE.format("d"))
    found = read_definitions(root, settings)
    assert names(found) == ["a", "d"]
    assert [failure.message for failure in found.failures] == [
        "b.py:3: ZeroDivisionError: division by zero"
    ]


def test_one_name_in_two_files_is_refused_naming_both(root, write, settings):
    write("a.py", ONE.format("p") + "\n" + ONE.format("q"))
    write("b.py", ONE.format("p"))
    found = read_definitions(root, settings)
    assert names(found) == ["q"]
    says = "pipeline p is defined at a.py:3 and defined at b.py:3: rename one"
    assert [failure.message for failure in found.failures] == [says, says]


def test_a_pipeline_named_like_a_task_of_another_is_refused(root, write, settings):
    write("a.py", ONE.format("etl.a"))
    write("b.py", ONE.format("etl"))
    found = read_definitions(root, settings)
    assert names(found) == ["etl"]
    assert "the full name of task a of etl at b.py:3" in found.failures[0].message


def test_a_file_named_alone_must_have_a_pipeline(root, write, settings):
    file = write("a.py", "x = 1")
    (failure,) = read_definitions(file, settings).failures
    assert "has no pipeline" in failure.message


def test_a_file_read_alone_has_the_version_that_it_has_in_its_folder(root, write, settings):
    file = write("etl/a.py", ONE.format("a"))
    assert read_definitions(file, settings) == read_definitions(root, settings)


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
