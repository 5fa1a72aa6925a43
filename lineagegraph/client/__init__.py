"""Start, capture and follow runs from a notebook, a prompt or a script.

Light to import: each public name is imported from its own module.
"""
