// Paths that definitions are read from may share a key again.
DROP CONSTRAINT unique_definition_path IF EXISTS
