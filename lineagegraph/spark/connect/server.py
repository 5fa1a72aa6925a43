"""Questions to a Spark Connect server about tables, paths and schemas."""

import re
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any

import structlog

from lineagegraph.model.runs.ids import new_id
from lineagegraph.spark.connect.parts import Name
from lineagegraph.spark.run_events import Engine
from lineagegraph.spark.schema_fields import Field, schema_fields

_SCHEME = re.compile(r"[A-Za-z][\w+.-]+:")
_NOT_FOUND = re.compile(r"Path does not exist: (\S+?)\.?(?:\s|$)")
_DETAILS = "# Detailed Table Information"

log = structlog.get_logger()


@dataclass(frozen=True)
class CatalogEntry:
    """A table or view as the server's catalog describes it."""

    catalog: str
    database: str
    table: str
    provider: str
    location: str | None
    #: the text of a view, and the catalog and database in which it was made
    view: str | None = None
    view_namespace: Name = ()

    @property
    def identifier(self) -> str:
        """The name of the table in its catalog."""
        return f"{self.database}.{self.table}" if self.database else self.table


class Server:
    """The server behind a client of Spark Connect; `make_plan` makes an empty plan."""

    def __init__(self, client: Any, make_plan: Any) -> None:
        self._client = client
        self._make_plan = make_plan

    @cached_property
    def engine(self) -> Engine:
        """The Spark application that the server is."""
        names = ("spark.app.id", "spark.master")
        try:
            version = self._client._analyze("spark_version").spark_version
            application, master = self._client.get_configs(*names)
        except Exception as error:
            log.warning("spark connect server not described", error=_first_line(error))
            version, application, master = "unknown", None, None
        return Engine(version, application or "", master or "", is_remote=True)

    def find(self, name: Name) -> CatalogEntry | None:
        """Return the table or view of a name; None for a temporary view, and for a missing one."""
        try:
            rows = self._describe(name)
        except Exception as error:
            log.debug("spark connect table not described", table=name, error=_first_line(error))
            return None
        return _entry(name, rows)

    def qualified(self, path: str) -> str:
        """Return a path with the file system and the working folder of the server."""
        if _SCHEME.match(path):
            return path
        base = self._working_folder
        if not path.startswith("/"):
            return f"{base}/{path}"
        scheme, _, rest = base.partition(":")
        authority = rest[2:].partition("/")[0] if rest.startswith("//") else ""
        return f"{scheme}://{authority}{path}" if authority else f"{scheme}:{path}"

    def schema(self, relation: Any) -> tuple[Field, ...]:
        """Return the fields of a relation; none if the server cannot tell them."""
        plan = self._make_plan()
        plan.root.CopyFrom(relation)
        try:
            return schema_fields(self._client.schema(plan).json())
        except Exception as error:
            log.debug("spark connect schema not read", error=_first_line(error))
            return ()

    def schema_of_table(self, name: Name) -> tuple[Field, ...]:
        """Return the fields of a table."""
        relation = self._make_plan().root
        relation.read.named_table.unparsed_identifier = _quoted(name)
        return self.schema(relation)

    @cached_property
    def _working_folder(self) -> str:
        """The folder of relative paths: the server names it for a file that does not exist."""
        name = f"lineagegraph-{new_id()}"
        plan = self._make_plan()
        plan.root.read.data_source.format = "text"
        plan.root.read.data_source.paths.append(name)
        try:
            self._client.schema(plan)
        except Exception as error:
            if found := _NOT_FOUND.search(str(error)):
                return found[1].removesuffix(f"/{name}")
            raise
        raise LookupError(f"the server has a file {name}")

    def _describe(self, name: Name) -> list[tuple[str, str]]:
        plan = self._make_plan()
        plan.root.sql.query = f"DESCRIBE TABLE EXTENDED {_quoted(name)}"
        # Spark 3.5 has no observations.
        more: list[Any] = (
            [{}] if "observations" in signature(self._client.to_table).parameters else []
        )
        rows = self._client.to_table(plan, *more)[0].to_pylist()
        return [(str(row["col_name"]), str(row["data_type"])) for row in rows]


def _quoted(name: Name) -> str:
    return ".".join("`" + part.replace("`", "``") + "`" for part in name)


def _entry(name: Name, rows: list[tuple[str, str]]) -> CatalogEntry | None:
    keys = [key for key, _ in rows]
    if _DETAILS not in keys:
        return None
    details = dict(rows[keys.index(_DETAILS) + 1 :])
    parts = details.get("Name", "").replace("`", "").split(".") if "Name" in details else []
    catalog = details.get("Catalog") or (parts[0] if len(parts) > 1 else "spark_catalog")
    database = details.get("Database") or ".".join(parts[1:-1])
    table = details.get("Table") or (parts[-1] if parts else name[-1])
    namespace = details.get("View Catalog and Namespace", "")
    return CatalogEntry(
        catalog,
        database,
        table,
        details.get("Provider", "").lower(),
        details.get("Location") or None,
        details.get("View Text") if details.get("Type") == "VIEW" else None,
        tuple(namespace.replace("`", "").split(".")) if namespace else (),
    )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
