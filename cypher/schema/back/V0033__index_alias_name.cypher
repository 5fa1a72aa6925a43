// Without the index.
DROP INDEX alias_name IF EXISTS
