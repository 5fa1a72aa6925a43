// The paths of a host that were forgotten.
MATCH (p:DefinitionPath {host: $host}) WHERE p.forgotten
RETURN p.path AS path
ORDER BY path
