"""The managed server, as real processes see it."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest

from lineagegraph import neo4j_server
from lineagegraph.errors import (
    GraphLoginRefused,
    GraphUnreachable,
    QueryRefused,
    ServerError,
    ServerNotStarted,
)
from lineagegraph.graph import Graph, answers
from lineagegraph.neo4j_server import ServerAddress, ServerState
from lineagegraph.neo4j_server.doors import check_doors
from lineagegraph.neo4j_server.filelock import held
from lineagegraph.neo4j_server.folder import Folder, server_folder
from lineagegraph.neo4j_server.ports import is_free
from lineagegraph.settings import Settings
from lineagegraph.store.connect import connect
from tests.acceptance.processes import until
from tests.quick_java import QUICK_NEO4J

STARTS = """
import sys
from pathlib import Path
from lineagegraph import neo4j_server
from lineagegraph.graph import answers
from lineagegraph.settings import Settings
home = Path(sys.argv[1])
settings = Settings(home=home, neo4j_heap="512m", neo4j_page_cache="64m")
address = neo4j_server.start(settings, answers)
print(address.bolt, address.pid)
"""


def small(home: Path) -> Settings:
    memory = {"neo4j_heap": "512m", "neo4j_page_cache": "64m"}
    return Settings(home=home, neo4j_java_options=QUICK_NEO4J, **memory)


def start_elsewhere(settings: Settings) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", STARTS, str(settings.home)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def query(address: ServerAddress, text: str, *, write: bool = False) -> list[dict[str, object]]:
    with Graph(address.bolt, address.user, address.password) as graph:
        return graph.query(text, write=write)


def await_death(folder: Folder, pid: int) -> None:
    deadline = time.monotonic() + 30
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, folder
        time.sleep(0.05)


@pytest.fixture(scope="module")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of one home that the tests below share; its server is stopped at the end."""
    settings = small(tmp_path_factory.mktemp("managed"))
    yield settings
    neo4j_server.stop(settings)


@pytest.fixture
def address(managed: Settings) -> ServerAddress:
    return neo4j_server.start(managed, answers)


def test_processes_that_start_at_once_get_one_server_that_outlives_them(
    managed: Settings,
) -> None:
    starting = [start_elsewhere(managed) for _ in range(3)]
    printed = [process.communicate(timeout=120) for process in starting]
    assert [process.returncode for process in starting] == [0, 0, 0], printed
    assert len({out for out, _ in printed}) == 1
    status = neo4j_server.status(managed, answers)
    assert status.state is ServerState.RUNNING
    assert status.address is not None
    assert printed[0][0].split() == [status.address.bolt, str(status.address.pid)]


def test_a_second_start_reports_the_address_of_the_first_at_once(
    managed: Settings, address: ServerAddress
) -> None:
    began = time.monotonic()
    assert neo4j_server.start(managed, answers) == address
    assert time.monotonic() - began < 2


def test_the_server_of_a_home_is_found_by_a_link_to_it(
    managed: Settings, address: ServerAddress, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(managed.home)
    linked = managed.model_copy(update={"home": tmp_path / "link", "neo4j_start_seconds": 1.0})
    assert neo4j_server.start(linked, answers) == address


def test_the_server_listens_on_loopback_alone(address: ServerAddress) -> None:
    listening = [
        each.laddr.ip
        for each in psutil.Process(address.pid).net_connections("inet")
        if each.status == psutil.CONN_LISTEN
    ]
    assert len(listening) == 2
    assert {each.removeprefix("::ffff:") for each in listening} == {"127.0.0.1"}


def test_the_default_password_is_refused_and_ours_is_for_the_user_alone(
    managed: Settings, address: ServerAddress
) -> None:
    with pytest.raises(GraphLoginRefused):
        answers(address.bolt, address.user, "neo4j")
    assert address.password not in repr(address)
    assert stat.S_IMODE(server_folder(managed).password_file.stat().st_mode) == 0o600


def test_browser_is_served_and_shows_our_guide_on_connect(address: ServerAddress) -> None:
    origin = address.browser.split("/browser/")[0]
    with urlopen(address.browser) as page:
        assert b"Neo4j Browser" in page.read()
    with urlopen(f"{origin}/browser/guides/start.md") as guide:
        assert b"The lineage graph" in guide.read()
    name = "browser.post_connect_cmd"
    [setting] = query(address, f"CALL dbms.listConfig('{name}') YIELD value")
    assert setting["value"] == f"guide {origin}/browser/guides/start.md"


def test_jars_come_before_folders_so_that_java_can_archive_their_classes(
    address: ServerAddress,
) -> None:
    class_path = psutil.Process(address.pid).environ()["CLASSPATH"].split(os.pathsep)
    assert [path for path in class_path if not path.endswith(".jar")] == class_path[-1:]


def test_a_server_killed_in_mid_life_starts_again_with_all_that_was_committed(
    managed: Settings, address: ServerAddress
) -> None:
    query(address, "CREATE (:Kept {value: 1})", write=True)
    os.kill(address.pid, signal.SIGKILL)
    await_death(server_folder(managed), address.pid)
    assert neo4j_server.status(managed, answers).state is ServerState.STOPPED
    again = neo4j_server.start(managed, answers)
    assert again.pid != address.pid
    assert (again.bolt, again.browser) == (address.bolt, address.browser)
    assert query(again, "MATCH (k:Kept) RETURN k.value AS value") == [{"value": 1}]


def test_a_live_owner_that_does_not_answer_is_named(
    managed: Settings, address: ServerAddress
) -> None:
    impatient = managed.model_copy(update={"neo4j_start_seconds": 0.5})
    os.kill(address.pid, signal.SIGSTOP)
    try:
        with pytest.raises(ServerNotStarted, match=f"process {address.pid}, which does not"):
            neo4j_server.start(impatient, speaks_bolt)
    finally:
        os.kill(address.pid, signal.SIGCONT)


def test_a_stopped_server_gives_way_to_another_program_on_its_port(
    managed: Settings, address: ServerAddress
) -> None:
    assert neo4j_server.stop(managed)
    assert not neo4j_server.stop(managed)
    port = int(address.bolt.rsplit(":", 1)[1])
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        moved = neo4j_server.start(managed, answers)
    assert moved.bolt != address.bolt
    assert query(moved, "MATCH (k:Kept) RETURN k.value AS value") == [{"value": 1}]


def test_a_connection_follows_its_server_to_another_port_and_says_its_password_to_no_other_program(
    managed: Settings, address: ServerAddress
) -> None:
    with connect(managed) as graph, socket.socket() as other:
        graph.ping()
        os.kill(address.pid, signal.SIGKILL)
        await_death(server_folder(managed), address.pid)
        with pytest.raises(GraphUnreachable):
            graph.ping()
        port = int(address.bolt.rsplit(":", 1)[1])
        until(lambda: is_free(port), 10)
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        other.setblocking(False)
        with pytest.raises(GraphUnreachable):
            graph.ping()
        moved = neo4j_server.start(managed, answers)
        assert moved.bolt != address.bolt
        graph.ping()
        assert graph.uri == moved.bolt
        with pytest.raises(BlockingIOError):
            other.accept()


@pytest.mark.parametrize("delay", [2.0, pytest.param(4.0, marks=pytest.mark.soak)])
def test_a_start_killed_with_its_server_leaves_a_folder_that_starts(
    tmp_path: Path, delay: float
) -> None:
    settings = small(tmp_path)
    starting = start_elsewhere(settings)
    time.sleep(delay)
    starting.kill()
    starting.communicate()
    if address := neo4j_server.status(settings, speaks_bolt).address:
        os.kill(address.pid, signal.SIGKILL)
    assert neo4j_server.start(settings, answers).pid > 0
    assert neo4j_server.stop(settings)


def test_a_start_that_is_told_to_stop_leaves_no_server(tmp_path: Path) -> None:
    settings = small(tmp_path)
    environment = os.environ | {
        "LINEAGEGRAPH_HOME": str(tmp_path),
        "LINEAGEGRAPH_NEO4J_HEAP": "512m",
        "LINEAGEGRAPH_NEO4J_JAVA_OPTIONS": QUICK_NEO4J,
        "LINEAGEGRAPH_PORT": "0",
    }
    command = [sys.executable, "-m", "lineagegraph.cli", "up"]
    starting = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    until(lambda: neo4j_server.status(settings, speaks_bolt).state is not ServerState.STOPPED)
    starting.terminate()
    assert b"ready" not in starting.communicate(timeout=60)[0]
    assert not neo4j_server.stop(settings)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [({"neo4j_heap": "lots"}, "heap size"), ({"neo4j_conf": {"no.such": "1"}}, r"no\.such")],
    ids=["heap", "conf"],
)
def test_a_server_that_cannot_start_says_why_in_one_line(
    tmp_path: Path, said: dict[str, object], complaint: str
) -> None:
    settings = small(tmp_path).model_copy(update=said)
    with pytest.raises(ServerNotStarted, match=rf"{complaint}.*output\.log") as failed:
        neo4j_server.start(settings, answers)
    assert "\n" not in str(failed.value)


def test_a_home_that_cannot_be_written_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match="LINEAGEGRAPH_HOME") as failed:
        neo4j_server.start(small(tmp_path / "file" / "home"), answers)
    assert "\n" not in str(failed.value)


def test_a_server_whose_pid_a_full_disk_does_not_take_is_not_left_without_a_name(
    tmp_path: Path,
) -> None:
    settings = small(tmp_path)
    folder = server_folder(settings)
    folder.create()
    folder.pid_file.symlink_to("/dev/full")
    with pytest.raises(ServerError, match=r"owner\.pid\): free some space"):
        neo4j_server.start(settings, answers)
    assert not held(folder.owner_lock)


def speaks_bolt(uri: str, user: str, password: str) -> bool:
    """Say whether the first four bytes of Bolt come back within a second."""
    del user, password
    host, port = uri.removeprefix("bolt://").split(":")
    try:
        with socket.create_connection((host, int(port)), timeout=1) as connection:
            connection.sendall(bytes.fromhex("6060b017 00000404 00000004 00000000 00000000"))
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def test_settings_may_open_what_queries_can_reach_and_the_doctor_reports_it(
    tmp_path: Path,
) -> None:
    opened = {
        "dbms.security.allow_csv_import_from_file_urls": "true",
        "internal.dbms.cypher_ip_blocklist": "",
    }
    settings = small(tmp_path).model_copy(update={"neo4j_conf": opened})
    address = neo4j_server.start(settings, answers)
    try:
        with Graph(address.bolt, address.user, address.password) as graph:
            files, requests, procedures = check_doors(graph, settings)
            # Files are still those of an empty folder.
            url = server_folder(settings).password_file.as_uri()
            with pytest.raises(QueryRefused, match="Couldn't load"):
                graph.query("LOAD CSV FROM $url AS l RETURN l", {"url": url}, write=True)
    finally:
        neo4j_server.stop(settings)
    assert (files.ok, requests.ok, procedures.ok) == (False, False, True)
    assert files.advice == f"remove {min(opened)} from setting neo4j_conf"
    assert "also to loopback" in requests.detail
