"""The folder of a table: `SCHEMA/TABLE` is a link to the current version."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lineagegraph.errors import TableRefused
from lineagegraph.model.typed import decode_json
from lineagegraph.settings import Settings, load_settings

TABLES = "spark.lineagegraph.tables"
TABLES_AGE = "spark.lineagegraph.tablesAge"
DEFAULT_SCHEMA = "default"
SESSION_CATALOG = "spark_catalog"
_NAME = re.compile(r"(?:(\w+)\.)?(\w+)")
_URL = re.compile(r"^(?!file:)[A-Za-z][\w+.-]+:")
_ABOUT = "_table.json"


class About(msgspec.Struct, frozen=True):
    """The description of a table version: Spark's schema as JSON, and its partitions."""

    schema: str
    partition_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableName:
    """A table's name; Spark's names ignore capitals."""

    schema: str
    table: str

    @classmethod
    def of(cls, text: str) -> "TableName":
        """Return the name in a text, `TABLE` or `SCHEMA.TABLE`."""
        found = _NAME.fullmatch(text.lower())
        if not found:
            raise TableRefused(f"table {text!r}: name it TABLE or SCHEMA.TABLE")
        return cls(found[1] or DEFAULT_SCHEMA, found[2])

    def is_in(self, text: str) -> bool:
        """Return whether a statement names the table."""
        schema, table = re.escape(self.schema), re.escape(self.table)
        named = rf"(?<![\w.])`?{schema}`?\s*\.\s*`?{table}`?(?!\w)"
        if self.schema == DEFAULT_SCHEMA:
            named += rf"|(?<![\w.])`?{table}`?(?!\w)"
        return re.search(named, text, re.IGNORECASE) is not None


@dataclass(frozen=True)
class TableFolder:
    """A table's link, and the hidden folder beside it that has its versions."""

    link: Path

    @property
    def name(self) -> str:
        """The table's name, with its schema's."""
        return f"{self.link.parent.name}.{self.link.name}"

    @property
    def versions(self) -> Path:
        """The folder of all versions, those that are being written too."""
        return self.link.with_name(f".{self.link.name}")

    @property
    def current(self) -> Path | None:
        """The version that counts."""
        return self.link.resolve() if self.link.is_symlink() and self.link.exists() else None


def tables_conf(settings: Settings) -> dict[str, str]:
    """Return the configuration by which a session has an installation's tables."""
    folder = settings.tables or str(settings.home / "tables")
    return {TABLES: folder, TABLES_AGE: str(settings.tables_age.total_seconds())}


def tables_folder(session: Any) -> str:
    """Return the folder, or URL, of the tables of a session: its own, or the installation's."""
    found = session.conf.get(TABLES, None) or tables_conf(load_settings())[TABLES]
    return str(found).removeprefix("file://")


def has_catalog(session: Any) -> bool:
    """Return whether a session has a shared catalog of tables."""
    conf = session.conf
    return (
        conf.get("spark.sql.catalogImplementation", "in-memory") == "hive"
        or conf.get(f"spark.sql.catalog.{SESSION_CATALOG}", None) is not None
        or conf.get("spark.sql.defaultCatalog", SESSION_CATALOG) != SESSION_CATALOG
    )


def place_of(folder: str, table: str) -> TableFolder:
    """Return the folder of a table."""
    name = TableName.of(table)
    if is_url(folder):
        raise TableRefused(
            f"table {table}: {folder} has no links to switch: name a folder, or give the session"
            " a catalog of Delta or Iceberg"
        )
    return TableFolder(Path(folder).absolute() / name.schema / name.table)


def is_url(folder: str) -> bool:
    """Return whether tables are in an object store, or another file system than this machine's."""
    return _URL.match(folder) is not None


def places_in(folder: str) -> Iterator[TableFolder]:
    """Yield the tables that a folder has."""
    if not is_url(folder):
        for link in sorted(Path(folder).absolute().glob("*/*")):
            if not link.name.startswith(".") and link.is_dir():
                yield TableFolder(link)


def read_about(version: Path) -> About | None:
    """Return the description of a version; None for a folder of another origin."""
    file = version / _ABOUT
    return decode_json(file.read_bytes(), into=About) if file.exists() else None


def write_about(version: Path, about: About) -> None:
    """Write the description of a version."""
    (version / _ABOUT).write_bytes(msgspec.json.encode(about))
