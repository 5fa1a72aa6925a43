"""Functions of tasks by value: pickled where a definition is read, unpickled where it runs.

What belongs to the project goes by value, installed packages by reference. The project's modules
come back as modules whose globals are shared, and whose files are those of the archive.
"""
