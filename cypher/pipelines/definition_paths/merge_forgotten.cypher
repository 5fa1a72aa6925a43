// Mark a path of a host as forgotten: readings of a folder above it leave it out.
MERGE (p:DefinitionPath {key: $key})
SET p.host = $host, p.path = $path, p.forgotten = true
