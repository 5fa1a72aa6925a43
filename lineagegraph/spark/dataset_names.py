"""Names of datasets as OpenLineage gives them, from paths and JDBC addresses."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from lineagegraph.model.secrets import MASK, mask_text, names_secret
from lineagegraph.spark.jdbc_names import JdbcPlace, read_jdbc

OBJECT_STORES = {"s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "abfs": "abfs", "abfss": "abfss"}
HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"

_URI = re.compile(r"^(?P<scheme>[A-Za-z][\w+.-]+):(?://(?P<authority>[^/]*))?(?P<path>.*)$")
# A container before the account is part of the name there.
_CONTAINERS = ("abfs", "abfss", "wasb", "wasbs")
_CONTAINER = re.compile(r"[\w$-]+@[\w.-]+(?::\d+)?")
_WITHOUT_USERS = ("hdfs", "webhdfs", "viewfs", "alluxio", "maprfs", "dbfs")
_AUTHORITY = re.compile(r"[^:@\s]*(?::\d*)?(?:,[^:@\s]+(?::\d+)?)*|\[[\da-fA-F:.]+\](?::\d+)?")
_PARAMETERS = re.compile(r"[?#]")
_PARTITION = re.compile(r"^([^=/]+)=([^/]*)$")
_VERSION = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TABLES = re.compile(r"\b(?:from|join)\s+([\w.\"`\[\]]+)", re.IGNORECASE)


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
    scheme, authority, where = _without_credentials(found) if found else ("file", "", path)
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


def _without_credentials(found: re.Match[str]) -> tuple[str, str, str]:
    """Return scheme, authority and path of a URI, without a user, a password and parameters."""
    scheme, authority, where = found["scheme"], found["authority"] or "", found["path"]
    if scheme.lower() == "file":
        return "file", authority, where
    where = _PARAMETERS.split(where)[0]
    if scheme.lower() in _CONTAINERS and _CONTAINER.fullmatch(authority):
        return scheme.lower(), authority, where
    if "@" in where and ":" in authority and scheme.lower() not in _WITHOUT_USERS:
        # A slash in the password ended the authority early.
        authority, slash, where = where.rpartition("@")[2].partition("/")
        where = slash + where
    host = _PARAMETERS.split(authority.rpartition("@")[2])[0]
    return scheme.lower(), host if _AUTHORITY.fullmatch(host) else "", where


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
    key, value = unquote(found[1]), unquote(found[2])
    if names_secret(key) or mask_text(value) != value or "&sig=" in value.lower():
        value = MASK
    return key, None if value == HIVE_NULL else value


def name_jdbc(url: str, table: str) -> list[DatasetName]:
    """Name the tables that are read or written at a JDBC address, without its credentials."""
    place = read_jdbc(url)
    tables = _TABLES.findall(table) if " " in table.strip() else [table]
    return [_name_table(place, re.sub(r"[\"`\[\]]", "", name)) for name in tables]


def _name_table(place: JdbcPlace, table: str) -> DatasetName:
    schema = place.schema if "." not in table else None
    return DatasetName(place.namespace, ".".join(filter(None, (place.database, schema, table))))
