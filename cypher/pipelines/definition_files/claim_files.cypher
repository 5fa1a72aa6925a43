// Lock definition files, create missing ones, and return the number of reads of each.
UNWIND $rows AS row
MERGE (f:DefinitionFile {key: row.key})
ON CREATE SET
  f.host = row.host, f.root = row.root, f.path = row.path, f.file = row.file, f.turn = 0
SET f.locked = true
REMOVE f.locked
RETURN f.key AS key, f.turn AS turn
ORDER BY key
