// Delete the record of a reverted migration.
MATCH (m:Migration {name: $name})
DELETE m
