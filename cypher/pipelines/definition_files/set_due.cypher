// Make definition files due at once that read a variable.
MATCH (f:DefinitionFile) WHERE $variable IN f.variables
SET f.next_at = coalesce($now, datetime.realtime())
