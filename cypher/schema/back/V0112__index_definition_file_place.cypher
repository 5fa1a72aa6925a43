// Definition files are found by going over all of them again.
DROP INDEX index_definition_file_place IF EXISTS
