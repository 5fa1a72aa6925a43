// Delete a definition file and its faults.
MATCH (f:DefinitionFile {key: $key})
OPTIONAL MATCH (f)-[:HAS_FAULT]->(d:DefinitionFault)
DETACH DELETE f, d
