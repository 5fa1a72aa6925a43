"""Follow the libraries of data in this process: each when it is imported."""

from functools import cache

from wrapt import register_post_import_hook

from lineagegraph.dataframes.databases import follow_sqlalchemy, follow_sqlite
from lineagegraph.dataframes.duckdb_calls import follow_duckdb
from lineagegraph.dataframes.entry_points import (
    follow_arrow_csv,
    follow_arrow_datasets,
    follow_pandas,
    follow_parquet,
    follow_polars,
)

_LIBRARIES = {
    "sqlite3.dbapi2": follow_sqlite,
    "pandas": follow_pandas,
    "polars": follow_polars,
    "pyarrow.parquet": follow_parquet,
    "pyarrow.csv": follow_arrow_csv,
    "pyarrow.dataset": follow_arrow_datasets,
    "duckdb": follow_duckdb,
    "sqlalchemy": follow_sqlalchemy,
}


@cache
def follow_libraries() -> None:
    """Note from now on what tasks of this process read and write; nothing is undone."""
    for name, follow in _LIBRARIES.items():
        register_post_import_hook(follow, name)
