"""Names of datasets as OpenLineage gives them, from paths and JDBC addresses.

No name has a credential: user information, query strings and parameters are left out, except those
parameters that identify the dataset. An address that cannot be read for certain loses more of it.
"""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lineagegraph.secrets import MASK, mask_text, names_secret

if TYPE_CHECKING:
    from lineagegraph.spark.jdbc_tables import Origins

# Schemes whose names begin without a slash, as OpenLineage has them.
_WITHOUT_ROOT = {
    "s3": "s3",
    "s3a": "s3",
    "s3n": "s3",
    "gs": "gs",
    "abfs": "abfs",
    "abfss": "abfss",
    "kafka": "kafka",
}
HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"

_WHOLE = re.compile(r"^(0|-?[1-9]\d{0,17})$")
_URI = re.compile(r"^(?P<scheme>[A-Za-z][\w+.-]+):(?P<rest>.*)$", re.DOTALL)
_PARTITION = re.compile(r"^([^=/]+)=([^/]*)$")
_VERSION = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_JDBC = re.compile(r"^jdbc:(?P<kind>[\w+]+):(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)
# A host name, an address or a bucket, with its port: `nn:8020`, `[::1]:80`, `host\instance`.
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[^\s/?#;@,:()=&%\[\]{}<>\"']+)(?::\d{1,5})?"
_SERVERS_ONLY = re.compile(rf"{_HOST}(?:,{_HOST})*")
_CONTAINER_STORES = ("abfs", "abfss", "wasb", "wasbs")
_WITH_LOGIN = ("http", "https", "ftp", "ftps", "sftp", "webdav", "webdavs", "smb")
_CONTAINER = re.compile(r"[a-z0-9$][a-z0-9-]{0,62}")
_KEY_VALUE_HOST = re.compile(r"\(\s*(?:host|port)\s*=[^()]*\)|address\s*=|host\s*=", re.IGNORECASE)
_UNKNOWN = "unknown"


@dataclass(frozen=True)
class _Dialect:
    """Names of the servers of a JDBC driver, and the parameters that identify a database."""

    scheme: str
    port: str | None = None
    schema: str | None = None
    databases: tuple[str, ...] = ()
    schemas: tuple[str, ...] = ()


_DIALECTS = {
    "postgresql": _Dialect("postgres", "5432", "public"),
    "mysql": _Dialect("mysql", "3306"),
    "mariadb": _Dialect("mysql", "3306"),
    "sqlserver": _Dialect("sqlserver", databases=("databasename", "database")),
    "snowflake": _Dialect("snowflake", databases=("db", "database"), schemas=("schema",)),
    "teradata": _Dialect("teradata", databases=("database",)),
    "clickhouse": _Dialect("clickhouse", databases=("database",)),
    "databricks": _Dialect("databricks", databases=("conncatalog",), schemas=("connschema",)),
    "spark": _Dialect("spark", databases=("conncatalog",), schemas=("connschema",)),
}
# A cluster of Redshift with its region, as IAM needs them.
_CLUSTER = re.compile(r"^//([\w-]+):([a-z]{2}(?:-[a-z]+)+-\d)(?=[:/])")
_CATALOGS = ("trino", "presto")  # their path is a catalog and a schema
_DATABASE = re.compile(r"[\w$. -]+")
_PAIR = re.compile(r"(?:\{[^}]*\}?|[^;&?#,{])+")  # SQL Server's values in braces may have a mark


@dataclass(frozen=True)
class DatasetName:
    """A dataset, and the partition and version of it that a path was for."""

    namespace: str
    name: str
    partition: tuple[tuple[str, str | None], ...] = ()
    version: str | None = None
    #: the name of the very path, with the folders of its partition; None if these have a secret
    path: str | None = field(default=None, compare=False)

    @property
    def dimensions(self) -> dict[str, int | str | None]:
        """The partition by its keys; whole numbers are numbers, as Spark infers them."""
        return {key: int(v) if v and _WHOLE.match(v) else v for key, v in self.partition}


def name_path(path: str) -> DatasetName:
    """Name the dataset at a path; `key=value` folders at its end are a partition of it.

    `.rides/VERSION` is a version of the published table `rides` beside it.
    """
    found = _URI.match(path)
    scheme, rest = (found["scheme"].lower(), found["rest"]) if found else ("file", path)
    if scheme == "file" or not rest.startswith("//"):
        authority, where = "", _without_query(re.sub("^//[^/]*", "", rest), is_remote=False)
    else:
        authority, where = _split_authority(scheme, rest[2:])
    folders = where.rstrip("/").split("/")
    partition: list[tuple[str, str | None]] = []
    while len(folders) > 1 and (named := partition_value(folders[-1])):
        partition.insert(0, named)
        folders.pop()
    is_open = all(MASK not in (value or "") for _, value in partition)
    whole = (where.rstrip("/") or "/") if is_open else None
    version = _take_version(folders)
    name = "/".join(folders) or "/"
    if scheme == "file":
        return DatasetName("file", name, tuple(partition), version, whole)
    if scheme in _WITHOUT_ROOT:
        scheme, name = _WITHOUT_ROOT[scheme], name.lstrip("/") or "/"
        whole = whole and (whole.lstrip("/") or "/")
    return DatasetName(f"{scheme}://{authority}", name, tuple(partition), version, whole)


def _split_authority(scheme: str, rest: str) -> tuple[str, str]:
    """Return the servers of a URL without user information, and its path."""
    container, at, after = rest.partition("@")
    if at and scheme in _CONTAINER_STORES and _CONTAINER.fullmatch(container):
        servers, path = _split_authority("", after)
        return f"{container}@{servers}", path
    # In `u:12/x@h`, `12/x` may be a password; HDFS has none, and a bucket has no port.
    first, _, path = rest.partition("/")
    is_open = "@" in path and ":" in first and _SERVERS_ONLY.fullmatch(first)
    is_sure = not is_open or scheme not in (*_WITHOUT_ROOT, *_CONTAINER_STORES, *_WITH_LOGIN)
    known = _from_servers(rest, "?", is_path=True) if is_sure else ""
    if not known and rest[:1] in ("", "/"):
        known = rest  # no servers: hdfs:///data
    servers, slash, path = _cut(known or _UNKNOWN, "/?#;")
    return servers, _without_query(slash + path, is_remote=True)


def _from_servers(rest: str, marks: str, *, is_path: bool) -> str:
    """Return an address from its servers on, without user information; empty if that is uncertain.

    A password may have any character, also `/`, `?`, `;` and `@`, without being encoded. `marks`
    begin the parameters. The path of a URL may have an `@` too, other than a database.
    """
    base, mark, parameters = _cut(rest, marks)
    is_doubtful = "@" in parameters and ("@" in base or not _is_login(parameters))
    is_doubtful &= not is_path or bool(re.match("[^/]*[:@]", base))
    authority, _, path = base.partition("/")
    may_stay = is_path and ("@" not in path or ":" not in authority.rpartition("@")[0])
    known = base[authority.rfind("@") + 1 :] if may_stay else base.rpartition("@")[2]
    if _SERVERS_ONLY.fullmatch(_cut(known, "/")[0]):
        is_lost = is_path and not may_stay
        return "" if is_doubtful or is_lost else known + mark + parameters
    known = rest.rpartition("@")[2]
    if "@" not in rest or "=" in parameters.rpartition("@")[0]:
        return ""
    return known if _SERVERS_ONLY.fullmatch(_cut(known, f"/{marks}")[0]) else ""


def _is_login(parameters: str) -> bool:
    """Return whether the first `@` is in the value of a parameter that often has one."""
    key = re.split(r"[;&?#]", parameters.partition("@")[0])[-1].partition("=")[0]
    return names_secret(key) or key.lower() in ("user", "username", "uid", "email", "userid")


def _without_query(path: str, *, is_remote: bool) -> str:
    """Return a path without a query string, a fragment with values, and `;k=v` parameters."""
    if not is_remote:
        return re.split(r"\?(?=[\w.-]+=)", path, maxsplit=1)[0]
    path = path.partition("?")[0]
    path = re.split(r"#(?=[^/]*=)", path, maxsplit=1)[0]
    return re.sub(r";[^/;=]*=[^/]*", "", path)


def _cut(text: str, marks: str) -> tuple[str, str, str]:
    found = re.search(f"[{re.escape(marks)}]", text)
    return (text, "", "") if not found else (text[: found.start()], found[0], text[found.end() :])


def _take_version(folders: list[str]) -> str | None:
    if len(folders) < 3 or not folders[-2].startswith(".") or not _VERSION.fullmatch(folders[-1]):
        return None
    version = folders.pop()
    folders[-1] = folders[-1].removeprefix(".")
    return version


def partition_value(folder: str) -> tuple[str, str | None] | None:
    """Return the key and value of a partition's folder, or None; a secret's value is masked."""
    found = _PARTITION.match(folder)
    if not found:
        return None
    key, value = unquote(found[1]), unquote(found[2])
    if value == HIVE_NULL:
        return key, None
    return key, MASK if names_secret(key) else mask_text(value)


def name_jdbc(url: str, table: str) -> list[DatasetName]:
    """Name the tables that a table or a query at a JDBC address reads, without its credentials."""
    from lineagegraph.spark.jdbc_tables import queried_tables  # slow to import, and seldom needed

    kind, rest = _split_jdbc(url)
    return [_name_table(kind, rest, name) for name in queried_tables(kind, table)]


def name_jdbc_columns(url: str, table: str) -> list[tuple[DatasetName, "Origins | None"]]:
    """Name the same tables, each with its columns behind those of a query if these are known."""
    from lineagegraph.spark.jdbc_tables import queried_columns, queried_tables

    kind, rest = _split_jdbc(url)
    columns = queried_columns(kind, table)
    return [
        (_name_table(kind, rest, name), None if columns is None else columns.get(name, {}))
        for name in queried_tables(kind, table)
    ]


def name_jdbc_target(url: str, table: str) -> DatasetName:
    """Name the table that is written at a JDBC address, without its credentials."""
    from lineagegraph.spark.jdbc_tables import written_table  # slow to import, and seldom needed

    kind, rest = _split_jdbc(url)
    return _name_table(kind, rest, written_table(kind, table))


def _split_jdbc(url: str) -> tuple[str, str]:
    found = _JDBC.match(url)
    return (found["kind"].lower(), found["rest"]) if found else ("jdbc", "")


def _name_table(kind: str, rest: str, table: str) -> DatasetName:
    if kind == "oracle":
        return _name_oracle(rest, table)
    if kind == "bigquery":
        return _name_in_bigquery(rest, table)
    # A protocol may be before the server: redshift:iam://, mysql:loadbalance://, h2:tcp://
    rest = re.sub(r"^(?!file:)[\w+-]+:(?=//)", "", rest)
    if kind == "redshift":
        rest = _CLUSTER.sub(r"//\1.\2", rest)
    if rest.startswith("//"):
        return _name_at_server(kind, rest[2:], table)
    return _name_local(kind, rest, table)


def _name_at_server(kind: str, rest: str, table: str) -> DatasetName:
    dialect = _DIALECTS.get(kind, _Dialect(kind))
    servers, database, parameters = _split_server(rest)
    schema = dialect.schema
    if not database:
        database = _parameter(parameters, dialect.databases)
        schema = _parameter(parameters, dialect.schemas) or schema
    if kind in _CATALOGS:
        database = database.replace("/", ".")
    named = ",".join(_with_port(server, dialect.port) for server in servers)
    parts = [database, *([schema] if schema and "." not in table else []), table]
    return DatasetName(f"{dialect.scheme}://{named}", ".".join(filter(None, parts)))


def _split_server(rest: str) -> tuple[list[str], str, str]:
    """Return servers, database and parameters."""
    if _KEY_VALUE_HOST.search(re.split(r"[?;]", rest)[0]):
        return _key_value_servers(rest)
    if rest[:1] in (";", "/"):
        parameters = _cut(rest, "?;")[2]
        return [_parameter(parameters, ("servername", "server")) or _UNKNOWN], "", parameters
    base, _, parameters = _cut(_from_servers(rest, "?;#", is_path=False) or _UNKNOWN, "?;#")
    servers, _, database = base.partition("/")
    # Teradata has its parameters behind the slash, Db2 behind a colon.
    database, _, more = _cut(database, ":") if "=" in database else (database, "", "")
    if "=" in database:
        database, more = "", database
    return servers.split(","), _checked_database(database), f"{more};{parameters}"


def _key_value_servers(rest: str) -> tuple[list[str], str, str]:
    """Return the parts of `address=(host=h)(port=1)(user=u),…/db` and of `(host=h,port=1)/db`."""
    inside, _, after = rest.rpartition(")")
    pairs = re.findall(r"[(,]\s*(host|port)\s*=\s*([^(),\s]*)", f"({inside}", re.IGNORECASE)
    servers: list[str] = []
    for key, value in pairs:
        if key.lower() == "host":
            servers.append(value)
        elif servers and value.isdigit() and not _has_port(servers[-1]):
            servers[-1] += f":{value}"
    if not servers or not all(map(re.compile(_HOST).fullmatch, servers)):
        return [_UNKNOWN], "", ""
    base, _, parameters = _cut(after, "?;#")
    return servers, _checked_database(base.removeprefix("/")), parameters


def _checked_database(text: str) -> str:
    """Return a database, or an empty text for one that may be something else."""
    text = text.strip("/")
    return "" if re.search(r"[@=&\s]", text) else text


def _parameter(parameters: str, names: tuple[str, ...]) -> str:
    """Return the value of the first parameter that has one of the names."""
    for pair in _PAIR.findall(parameters):
        key, _, value = str(pair).partition("=")
        value = value.strip("{}\"' ")
        if key.strip().lower() in names and _DATABASE.fullmatch(value):
            return value
    return ""


def _with_port(server: str, port: str | None) -> str:
    return server if _has_port(server) or not port or server == _UNKNOWN else f"{server}:{port}"


def _has_port(server: str) -> bool:
    return re.search(r":\d+$", server) is not None and not server.endswith("]")


def _name_local(kind: str, rest: str, table: str) -> DatasetName:
    """Name a table of a database in a file or in memory: `h2:mem:test`, `sqlite:/d/x.db`."""
    base = _cut(rest, ";?")[0]
    if "@" in rest:
        base = _UNKNOWN
    return DatasetName(f"{kind}:{base}", table)


def _name_in_bigquery(rest: str, table: str) -> DatasetName:
    parameters = _cut(rest, ";")[2]
    project = _parameter(parameters, ("projectid",))
    dataset = "" if "." in table else _parameter(parameters, ("defaultdataset",))
    return DatasetName("bigquery", ".".join(filter(None, (project, dataset, table))))


_DESCRIBED = re.compile(r"\(\s*(host|port|service_name|sid)\s*=\s*([^()\s]+)\s*\)", re.IGNORECASE)
_ORACLE = re.compile(
    rf"(?://)?(?P<server>{_HOST})(?P<mark>[:/])(?P<service>[\w$.-]+)(?::\w+)?(?:/[\w$.-]+)?"
)
_TNS = re.compile(r"[\w.-]+")


def _name_oracle(rest: str, table: str) -> DatasetName:
    """Name a table by `@//host:port/service`, `@host:port:sid`, `@tns` or a descriptor."""
    base, _, parameters = _cut(rest, "?")
    has_user = "/" in base.partition("@")[0]
    is_doubtful = "@" in parameters and (has_user or not _is_login(parameters))
    place = _UNKNOWN if is_doubtful else base.rpartition("@")[2].strip()
    if "@" not in base:
        place = _UNKNOWN if "/" in base.partition("//")[0] else base.partition(":")[2]
    if place.startswith("("):
        parts: dict[str, str] = {}
        for key, value in _DESCRIBED.findall(place):
            parts.setdefault(key.lower(), value)
        service = parts.get("service_name") or parts.get("sid") or ""
        server = _with_port(parts.get("host", _UNKNOWN), parts.get("port", "1521"))
    elif found := _ORACLE.fullmatch(place.partition("://")[2] or place):
        server, service = _with_port(found["server"], "1521"), found["service"]
    elif re.fullmatch(rf"//{_HOST}/?", place):
        server, service = _with_port(place.strip("/"), "1521"), ""
    else:
        server, service = (place if _TNS.fullmatch(place) else _UNKNOWN), ""
    return DatasetName(f"oracle://{server}", ".".join(filter(None, (service, table))))
