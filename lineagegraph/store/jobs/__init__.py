"""Statements about jobs and their versions."""
