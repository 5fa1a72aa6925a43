"""Spark sessions and the lineage of their actions."""
