"""Iceberg tables: their reads and writes in plans, and their snapshots."""
