// Without the index.
DROP INDEX reads_seen IF EXISTS
