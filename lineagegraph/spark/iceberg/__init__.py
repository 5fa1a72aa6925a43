"""Iceberg tables: what plans read and write of them, and their snapshots."""
