// Delete definition paths.
UNWIND $keys AS key
MATCH (p:DefinitionPath {key: key})
OPTIONAL MATCH (p)-[:HAS_FAULT]->(d:DefinitionFault)
DETACH DELETE p, d
