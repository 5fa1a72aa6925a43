"""`neo4j.conf` and Java's options for a server that only this machine reaches."""

import re

from lineagegraph.neo4j_server.browser.pages import guides_at
from lineagegraph.neo4j_server.folder import Folder, write_whole
from lineagegraph.neo4j_server.ports import Ports
from lineagegraph.settings import Settings

# A user who only reads the graph could otherwise read files and send requests. Procedures of
# Neo4j itself are loaded in any case; the list keeps those of plugins out.
CLOSED = {
    "dbms.security.allow_csv_import_from_file_urls": "false",
    "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
    "dbms.security.procedures.allowlist": "db.*,dbms.*,tx.*",
}
"""What the managed server forbids to queries, unless `neo4j_conf` has another value."""

_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")


def write_configuration(folder: Folder, ports: Ports, settings: Settings) -> None:
    """Write `neo4j.conf`; the server refuses to start on a key that it does not know."""
    lines = (f"{key}={value}\n" for key, value in _entries(folder, ports, settings).items())
    write_whole(folder.conf / "neo4j.conf", "".join(lines))


def java_options(settings: Settings) -> list[str]:
    """Return the options of Java: memory, and the open packages that Neo4j's networking needs."""
    return [
        f"-Xms{settings.neo4j_heap}",
        f"-Xmx{settings.neo4j_heap}",
        *settings.neo4j_java_options.split(),
        "-XX:-OmitStackTraceInFastThrow",
        "-XX:+ExitOnOutOfMemoryError",
        "-Dfile.encoding=UTF-8",
        "-Dlog4j2.disable.jmx=true",
        "-Dio.netty.tryReflectionSetAccessible=true",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
    ]


def _entries(folder: Folder, ports: Ports, settings: Settings) -> dict[str, str | int]:
    return {
        **_listeners(ports),
        **_browser(ports),
        "server.directories.data": str(folder.data),
        "server.directories.logs": str(folder.logs),
        "server.directories.run": str(folder.run),
        "server.memory.pagecache.size": settings.neo4j_page_cache,
        **_transactions(settings.neo4j_heap),
        "db.lock.acquisition.timeout": "30s",
        "db.transaction.timeout": "10m",
        "db.tx_log.rotation.retention_policy": "2 files",
        "db.tx_log.rotation.size": "64m",
        # A transaction log that met a full disk in mid-entry may not be readable again.
        "db.tx_log.preallocate": "true",
        "dbms.usage_report.enabled": "false",
        "server.directories.import": str(folder.imports),
        **CLOSED,
        **settings.neo4j_conf,
    }


def _transactions(heap: str) -> dict[str, str]:
    """Let all queries together take half of the heap.

    Without room for plans, and for lists that grow, a query that takes all would end the server.
    """
    amount = re.fullmatch(r"(\d+)([kmgKMG]?)", heap)
    if amount is None:
        return {}  # Java refuses such a heap with its own words
    total = int(amount[1]) * 1024 ** " kmg".index(amount[2].lower() or " ")
    return {"dbms.memory.transaction.total.max": str(total // 2)}


def _listeners(ports: Ports) -> dict[str, str | int]:
    return {
        "server.default_listen_address": "127.0.0.1",
        "server.default_advertised_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{ports.bolt}",
        "server.bolt.advertised_address": f"127.0.0.1:{ports.bolt}",
        "server.http.listen_address": f"127.0.0.1:{ports.http}",
        "server.http.advertised_address": f"127.0.0.1:{ports.http}",
        "server.https.enabled": "false",
        "internal.server.bolt.thread_pool_shutdown_wait_time": "1s",
    }


def _browser(ports: Ports) -> dict[str, str | int]:
    return {
        "browser.post_connect_cmd": f"guide {guides_at(ports)}/start.md",
        "browser.remote_content_hostname_whitelist": "localhost,127.0.0.1",
        "client.allow_telemetry": "false",
    }
