// Lock a definition file, which may be new, and say how often it was read.
MERGE (f:DefinitionFile {key: $key})
ON CREATE SET f.host = $host, f.root = $root, f.path = $path, f.file = $file, f.turn = 0
SET f.locked = true
REMOVE f.locked
RETURN f.turn AS turn
