// Delete a definition path of a host and all paths below it.
MATCH (p:DefinitionPath {host: $host})
WHERE p.path = $path OR p.path STARTS WITH $path + '/'
OPTIONAL MATCH (p)-[:HAS_FAULT]->(d:DefinitionFault)
DETACH DELETE p, d
