"""Freshness terms, and the standing of a job or dataset under them."""
