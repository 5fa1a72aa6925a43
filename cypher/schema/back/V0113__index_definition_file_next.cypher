// Definition files that are due are found by going over all of them again.
DROP INDEX index_definition_file_next IF EXISTS
