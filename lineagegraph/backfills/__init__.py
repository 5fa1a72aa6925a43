"""Backfills: partitions of a pipeline that run one after the other."""
