"""Lineage of columns: what each column of a plan is made from, and how."""
