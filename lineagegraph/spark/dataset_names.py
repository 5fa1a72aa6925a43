"""Names of datasets as OpenLineage gives them, from paths and JDBC addresses."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

OBJECT_STORES = {"s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "abfs": "abfs", "abfss": "abfss"}
HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"

_URI = re.compile(r"^(?P<scheme>[A-Za-z][\w+.-]+):(?://(?P<authority>[^/]*))?(?P<path>.*)$")
_PARTITION = re.compile(r"^([^=/]+)=([^/]*)$")
_VERSION = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_JDBC = re.compile(r"^jdbc:(?P<kind>[\w+]+):(?P<rest>[^;?]*)")
_HOST = re.compile(r"^//(?:[^@/]*@)?(?P<host>[^:/]+)(?::(?P<port>\d+))?(?:/(?P<database>.*))?$")
_TABLES = re.compile(r"\b(?:from|join)\s+([\w.\"`\[\]]+)", re.IGNORECASE)
_SERVERS = {
    "postgresql": ("postgres", "5432", "public"),
    "mysql": ("mysql", "3306", None),
    "mariadb": ("mysql", "3306", None),
}


@dataclass(frozen=True)
class DatasetName:
    """A dataset, and the partition and version of it that a path was for."""

    namespace: str
    name: str
    partition: tuple[tuple[str, str | None], ...] = ()
    version: str | None = None


def name_path(path: str) -> DatasetName:
    """Name the dataset at a path; `key=value` folders at its end are a partition of it.

    `.rides/VERSION` is a version of the published table `rides` beside it.
    """
    found = _URI.match(path)
    scheme, authority, where = found.group(*range(1, 4)) if found else ("file", "", path)
    folders = where.rstrip("/").split("/")
    partition: list[tuple[str, str | None]] = []
    while len(folders) > 1 and (named := partition_value(folders[-1])):
        partition.insert(0, named)
        folders.pop()
    version = _take_version(folders)
    name = "/".join(folders) or "/"
    if scheme == "file":
        return DatasetName("file", name, tuple(partition), version)
    if scheme in OBJECT_STORES:
        scheme, name = OBJECT_STORES[scheme], name.lstrip("/") or "/"
    return DatasetName(f"{scheme}://{authority or ''}", name, tuple(partition), version)


def _take_version(folders: list[str]) -> str | None:
    if len(folders) < 3 or not folders[-2].startswith(".") or not _VERSION.fullmatch(folders[-1]):
        return None
    version = folders.pop()
    folders[-1] = folders[-1].removeprefix(".")
    return version


def partition_value(folder: str) -> tuple[str, str | None] | None:
    """Return the key and value of a partition's folder, or None."""
    found = _PARTITION.match(folder)
    if not found:
        return None
    value = unquote(found[2])
    return unquote(found[1]), None if value == HIVE_NULL else value


def name_jdbc(url: str, table: str) -> list[DatasetName]:
    """Name the tables that are read or written at a JDBC address, without its credentials."""
    found = _JDBC.match(url)
    kind, rest = found.group("kind", "rest") if found else ("jdbc", "")
    tables = _TABLES.findall(table) if " " in table.strip() else [table]
    return [_name_table(kind, rest, re.sub(r"[\"`\[\]]", "", name)) for name in tables]


def _name_table(kind: str, rest: str, table: str) -> DatasetName:
    server = _HOST.match(rest)
    if not server:
        return DatasetName(f"{kind}:{rest}", table)
    scheme, port, schema = _SERVERS.get(kind, (kind, None, None))
    port = server["port"] or port
    parts = [server["database"] or "", *([schema] if schema and "." not in table else []), table]
    namespace = f"{scheme}://{server['host']}{f':{port}' if port else ''}"
    return DatasetName(namespace, ".".join(filter(None, parts)))
