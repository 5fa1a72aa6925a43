// Without the index.
DROP INDEX version_written IF EXISTS
