"""Names of tables at JDBC addresses: hosts, ports and databases, and nothing else of an address.

What is not understood is left out, as it could be a password.
"""

import re
from typing import NamedTuple

_JDBC = re.compile(r"^jdbc:(?P<kind>[\w+]+):(?P<rest>.*)$", re.DOTALL | re.IGNORECASE)
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?:\\[\w$]+)?(?::\d+)?"
_HOSTS = re.compile(rf"{_HOST}(?:,{_HOST})*")
# Redshift's cluster and region.
_REGION = re.compile(r"^([\w-]+):([a-z]{2}(?:-[a-z]+)+-\d)$")
_FORM = re.compile(r"[\w+:-]*//")
# A parameter begins with its name.
_PARAMETERS = re.compile(r"[?;#](?=\w[\w.-]*=|$)")
_DATABASE = re.compile(r";\s*database(?:name)?\s*=\s*(?P<name>[\w.$ -]+)", re.IGNORECASE)
_BRACES = re.compile(r"\{[^}]*\}?")
_KEY_VALUE = re.compile(r"\b(?P<key>host|port|service_name|sid)\s*=\s*(?P<value>[\w.-]+)", re.I)
_TERADATA = re.compile(r"\b(?P<key>DATABASE|DBS_PORT)=(?P<value>[\w$-]+)", re.IGNORECASE)
_ORACLE_PLACE = re.compile(
    r"^(?://)?(?P<host>[\w.-]+)(?::(?P<port>\d+))?(?:[:/](?P<service>[\w.$-]+))?$"
)
_PLAIN = re.compile(r"^[\w:./\\ ~-]+$")
_SERVERS = {
    "postgresql": ("postgres", "5432", "public"),
    "mysql": ("mysql", "3306", None),
    "mariadb": ("mysql", "3306", None),
}


class JdbcPlace(NamedTuple):
    """The namespace of the tables at an address, and their database and schema, if it has any."""

    namespace: str
    database: str
    schema: str | None = None


def read_jdbc(url: str) -> JdbcPlace:
    """Return where an address leads, without users, passwords and parameters."""
    found = _JDBC.match(url.strip())
    kind, rest = (found["kind"].lower(), found["rest"]) if found else ("jdbc", "")
    if kind == "oracle":
        return _oracle(rest)
    form = _FORM.match(rest)
    if not form:
        return JdbcPlace(f"{kind}:{_plain(rest)}", "")
    scheme, port, schema = _SERVERS.get(kind, (kind, "", None))
    hosts, path, parameters = _split(rest[form.end() :])
    if not hosts:
        return JdbcPlace(f"{scheme}:", "", schema)
    if port:
        hosts = ",".join(_with_port(host, port) for host in hosts.split(","))
    database = _database(kind, path, parameters)
    return JdbcPlace(f"{scheme}://{hosts}", database, schema)


def _split(text: str) -> tuple[str, str, str]:
    """Return hosts, path and parameters of what follows `//`; a password may hold anything."""
    pairs = _KEY_VALUE.findall(text)
    if "(" in text.partition("/")[0] and pairs:
        path = text.rpartition(")")[2]
        return _from_pairs(pairs), path.partition("/")[2], ""
    cut = _PARAMETERS.search(text)
    place, parameters = (text[: cut.start()], text[cut.start() :]) if cut else (text, "")
    # Also each of several hosts may have a user.
    hosts, slash, path = place.rpartition("@")[2].partition("/")
    if "@" in place and "," in place.rpartition("@")[0]:
        parts = (part.rpartition("@") for part in place.split(","))
        hosts = ",".join(part[2].partition("/")[0] for part in parts if part[2])
    hosts = _REGION.sub(r"\1.\2", hosts)
    if not _HOSTS.fullmatch(hosts) and "@" in parameters:
        return _split(parameters.rpartition("@")[2])
    return (hosts if _HOSTS.fullmatch(hosts) else ""), path if slash else "", parameters


def _database(kind: str, path: str, parameters: str) -> str:
    if kind == "teradata":
        return dict(_pairs(_TERADATA, path)).get("database", "")
    found = _DATABASE.search(_BRACES.sub("", parameters))
    if found:
        return found["name"].strip()
    # Db2 has its parameters behind a colon.
    name = re.split(r"[:?;#=@]", path)[0]
    return name if _PLAIN.match(name) else ""


def _with_port(host: str, port: str) -> str:
    return host if re.search(r":\d+$", host) else f"{host}:{port}"


def _from_pairs(pairs: list[tuple[str, str]]) -> str:
    hosts: list[str] = []
    for key, value in pairs:
        if key.lower() == "host":
            hosts.append(value)
        elif key.lower() == "port" and hosts and value.isdigit():
            hosts[-1] = f"{hosts[-1].partition(':')[0]}:{value}"
    return ",".join(hosts)


def _oracle(rest: str) -> JdbcPlace:
    """Return the place of `thin:USER/PASSWORD@PLACE`; a place is a host, a descriptor or an alias.

    Source: OpenLineage's naming of datasets, Oracle.
    """
    # Before the place there may be a user, which is all that there is without an `@`.
    place = rest.rpartition("@")[2] if "@" in rest else ""
    if "(" in place:
        named = {key.lower(): value for key, value in reversed(_KEY_VALUE.findall(place))}
        host = _from_pairs([(key, named[key]) for key in ("host", "port") if key in named])
        return JdbcPlace(f"oracle://{host}", named.get("service_name") or named.get("sid") or "")
    cut = _PARAMETERS.search(place)
    found = _ORACLE_PLACE.match(place[: cut.start()] if cut else place)
    if not found:
        return JdbcPlace("oracle:", "")
    port = f":{found['port']}" if found["port"] else ""
    return JdbcPlace(f"oracle://{found['host']}{port}", found["service"] or "")


def _pairs(pattern: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    return [(found["key"].lower(), found["value"]) for found in pattern.finditer(text)]


def _plain(rest: str) -> str:
    """Return the address of an embedded database: a path, or nothing if it could hold a secret."""
    place = re.split(r"[?;#=,]", rest)[0]
    return place if _PLAIN.match(place) and "@" not in rest.partition(";")[0] else ""
