// The errors of definition files on all hosts.
MATCH (f:DefinitionFile|DefinitionPath)-[:HAS_FAULT]->(d:DefinitionFault)
RETURN f.host AS host, d.file AS file, d.line AS line, d.message AS message, d.at AS at
ORDER BY host, file, line, message
