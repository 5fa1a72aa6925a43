// Finds the definition files of a host that are to be read again.
CREATE INDEX index_definition_file_next IF NOT EXISTS FOR (n:DefinitionFile) ON (n.host, n.next_at)
