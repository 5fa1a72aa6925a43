"""Statements about lineage and about run times over days."""
