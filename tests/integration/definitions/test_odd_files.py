"""Definition files with odd names and places, and files that change while they are read."""

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lineagegraph.queries.find.find import find_job
from lineagegraph.reading.definition_files import find_definitions, find_targets, path_marks
from lineagegraph.reading.refresh import refresh
from lineagegraph.reading.watch import watched_folders
from tests.project import Project

HEAD = "import lineagegraph as lg\n"
ONE = 'lg.pipeline("{}", tasks=[lg.command("a", ["true"])])\n'


@pytest.fixture
def project(graph, server, tmp_path):
    return Project(tmp_path / "project", graph, tmp_path / "home")


def active(project):
    rows = project.graph.query(
        "MATCH (:DefinitionFile)-[:DECLARES]->(j:Job) WHERE j.withdrawn_at IS NULL"
        " RETURN j.fqn AS name ORDER BY name"
    )
    return [row["name"] for row in rows]


def state(project, **files):
    for name, text in files.items():
        (project.folder / f"{name}.py").write_text(HEAD + text)


@contextmanager
def any_user() -> Iterator[None]:
    """Lose the rights of root, if this process has them: root reads all files."""
    was = os.geteuid()
    os.seteuid(was or 65534)
    try:
        yield
    finally:
        os.seteuid(was)


def test_a_file_that_an_older_one_replaces_while_it_is_read_is_read_again(project):
    (project.folder / "older").write_text(HEAD + ONE.format("new"))
    os.utime(project.folder / "older", (1_000_000_000, 1_000_000_000))
    state(project, a="import os\nos.replace('older', __file__)\n" + ONE.format("old"))
    assert not project.sync().failures
    assert not project.sync().failures
    assert active(project) == ["new"]


def test_a_file_from_the_future_is_read_once(project):
    state(project, a=ONE.format("a"))
    os.utime(project.folder / "a.py", (2**33, 2**33))
    for _ in range(3):
        project.sync()
        threading.Event().wait(0.05)
    (row,) = project.graph.query("MATCH (f:DefinitionFile) RETURN f.turn AS turn")
    assert row["turn"] <= 2


def test_a_module_that_was_missing_is_seen_when_it_comes(project):
    optional = "try:\n    import local_names as found\nexcept ImportError:\n    found = None\n"
    state(project, a=optional + ONE.format("a") + "if found:\n    " + ONE.format("local"))
    project.sync()
    assert active(project) == ["a"]
    (project.folder / "local_names.py").touch()
    project.sync()
    assert active(project) == ["a", "local"]


def test_a_link_that_comes_to_lead_elsewhere_is_seen(project):
    for release, name in (("one", "first"), ("two", "second")):
        (project.folder / release / name).mkdir(parents=True)
        (project.folder / release / "conf").write_text(name)
    link = project.folder / "current"
    link.symlink_to("one")
    state(
        project,
        reads="name = open('current/conf').read()\n"
        + ONE.format("reads")
        + "lg.pipeline(name, tasks=[lg.command('a', ['true'])])\n",
        lists="import os\n(name, _) = sorted(os.listdir('current'), reverse=True)\n"
        + ONE.format("lists")
        + "lg.pipeline(f'listed.{name}', tasks=[lg.command('a', ['true'])])\n",
    )
    assert not project.sync().failures
    assert active(project) == ["first", "listed.first", "lists", "reads"]
    link.unlink()
    link.symlink_to("two")
    assert not project.sync().failures
    assert active(project) == ["listed.second", "lists", "reads", "second"]


def test_names_that_are_not_utf_8_stop_no_other_file(project):
    folder = os.fsencode(project.folder)
    Path(os.fsdecode(folder + b"/n\xff.py")).write_text(HEAD + ONE.format("n"))
    (project.folder / "data").mkdir()
    Path(os.fsdecode(folder + b"/data/d\xff.csv")).touch()
    state(
        project,
        lists="import os\nos.listdir('data')\n" + ONE.format("lists"),
        reads="open(b'data/d\\xff.csv').read()\n" + ONE.format("reads"),
        raises="raise ValueError('\\udcff')\n",
    )
    failures = {one.removeprefix(f"{project.folder}/") for one in project.sync().failures}
    assert failures == {
        r"n\udcff.py: the name is not UTF-8: rename it",
        f"reads.py: not Unicode, and cannot be stored: '{project.folder}/data/d\\udcff.csv'",
        r"raises.py:2: ValueError: \udcff",
    }
    assert active(project) == ["lists"]
    assert len(project.graph.query("MATCH (f:DefinitionFault) RETURN f")) == 3


def test_a_file_named_like_a_module_in_c_is_told_to_be_renamed(project):
    state(project, atexit=ONE.format("a"))
    assert project.sync().failures == [
        "atexit.py: module name atexit is taken by Python: rename the file"
    ]


@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a link to a device"])
def test_a_file_that_comes_to_be_no_file_is_gone(project, kind):
    state(project, a=ONE.format("a"), b=ONE.format("b"))
    project.sync()
    (project.folder / "a.py").unlink()
    if kind == "a folder":
        (project.folder / "a.py").mkdir()
    elif kind == "a pipe":
        os.mkfifo(project.folder / "a.py")
        os.mkfifo(project.folder / "a.json")
    else:
        (project.folder / "a.py").symlink_to("/dev/zero")
    assert project.sync().withdrawn == ["a"]
    assert active(project) == ["b"]


def test_a_run_whose_file_has_become_a_pipe_takes_the_last_version(project):
    state(project, a=ONE.format("a"))
    project.sync()
    (project.folder / "a.py").unlink()
    os.mkfifo(project.folder / "a.py")
    (failure,) = refresh(project.graph, project.settings, find_job(project.graph, "a").key)
    assert failure.endswith("a.py: is missing: the run takes the version that was read last")


def test_a_file_that_cannot_be_read_keeps_its_pipelines_and_stops_no_other(project):
    state(project, a=ONE.format("a"), b=ONE.format("b"))
    project.sync()
    (project.folder / "a.py").unlink()
    # Not even root can read it.
    (project.folder / "a.py").symlink_to("/proc/self/mem")
    state(project, c=ONE.format("c"))
    (failure,) = project.sync().failures
    assert failure.startswith("a.py:1: ")
    assert active(project) == ["a", "b", "c"]


def test_a_folder_that_cannot_be_read_keeps_its_pipelines_and_is_no_error(graph, tmp_path):
    with TemporaryDirectory() as name:
        project = Project(Path(name) / "project", graph, tmp_path / "home")
        (project.folder / "sub").mkdir()
        state(project, a=ONE.format("a"))
        (project.folder / "sub" / "b.py").write_text(HEAD + ONE.format("b"))
        project.sync()
        Path(name).chmod(0o755)
        (project.folder / "sub").chmod(0)
        with any_user():
            assert find_definitions(project.folder) == [project.folder.resolve() / "a.py"]
            assert str(project.folder) in watched_folders(graph, [project.folder])
            assert not find_targets(graph, project.folder, graph.read(path_marks)).gone
        (project.folder / "sub").chmod(0o755)
    assert active(project) == ["a", "b"]


def test_folders_that_come_and_go_while_they_are_listed_are_no_error(tmp_path):
    (tmp_path / "stays.py").write_text(HEAD)
    over = threading.Event()

    def churn() -> None:
        while not over.is_set():
            (tmp_path / "x" / "y" / "z").mkdir(parents=True, exist_ok=True)
            shutil.rmtree(tmp_path / "x", ignore_errors=True)

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(500):
            assert find_definitions(tmp_path) == [tmp_path / "stays.py"]
    finally:
        over.set()
        thread.join()
