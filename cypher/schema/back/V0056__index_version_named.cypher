// Without the index.
DROP INDEX version_named IF EXISTS
