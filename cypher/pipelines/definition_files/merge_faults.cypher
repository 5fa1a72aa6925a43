// Replace the faults of a definition file or path; an existing fault keeps its start time.
MATCH (f:DefinitionFile|DefinitionPath {key: $key})
CALL (f) {
  MATCH (f)-[:HAS_FAULT]->(old:DefinitionFault)
  WHERE NOT old.message IN [fault IN $faults | fault.message]
  DETACH DELETE old
}
UNWIND $faults AS fault
MERGE (f)-[:HAS_FAULT]->(d:DefinitionFault {message: fault.message})
ON CREATE SET
  d.file = fault.file, d.line = fault.line, d.at = coalesce($now, datetime.realtime())
