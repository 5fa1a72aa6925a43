// Definition files may share a key again.
DROP CONSTRAINT unique_definition_file IF EXISTS
