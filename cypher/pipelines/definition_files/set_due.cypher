// Have the definition files that read a variable read again at once.
MATCH (f:DefinitionFile) WHERE $variable IN f.variables
SET f.next_at = coalesce($now, datetime.realtime())
