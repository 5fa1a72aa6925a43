// Finds the definition files of a host below a path.
CREATE INDEX index_definition_file_place IF NOT EXISTS FOR (n:DefinitionFile) ON (n.host, n.file)
