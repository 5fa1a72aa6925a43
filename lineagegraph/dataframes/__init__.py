"""The data that Python tasks read and write without Spark: pandas, polars, Arrow, DuckDB, SQL."""
