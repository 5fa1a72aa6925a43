"""Partitions that a Hive metastore knows, asked in its database: that needs no JVM."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Select


def partition_query(schema: str, table: str, names: Sequence[str]) -> "Select[Any]":
    """Return the query for a partition of one of the names."""
    from sqlalchemy import column, literal, select
    from sqlalchemy import table as named

    databases = named("DBS", column("DB_ID"), column("NAME"))
    tables = named("TBLS", column("TBL_ID"), column("DB_ID"), column("TBL_NAME"))
    partitions = named("PARTITIONS", column("TBL_ID"), column("PART_NAME"))
    joined = partitions.join(tables, partitions.c.TBL_ID == tables.c.TBL_ID).join(
        databases, tables.c.DB_ID == databases.c.DB_ID
    )
    return (
        select(literal(1))
        .select_from(joined)
        .where(
            databases.c.NAME.in_([schema]),
            tables.c.TBL_NAME.in_([table]),
            partitions.c.PART_NAME.in_(names),
        )
    )
