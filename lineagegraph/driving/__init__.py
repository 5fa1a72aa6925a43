"""Runs that a notebook, prompt or script starts itself, and looks after.

Light to import, as `lineagegraph` is: each name is imported from its own file.
"""
