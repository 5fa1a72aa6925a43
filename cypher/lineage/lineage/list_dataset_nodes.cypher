// Datasets by key, each with its current columns in order.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
CALL (d) {
  MATCH (d)-[:HAS_FIELD]->(f:Field)
  WHERE coalesce(f.current, true)
  WITH f
  ORDER BY f.ordinal, f.name
  RETURN collect({key: f.key, name: f.name, type: f.type}) AS columns
}
RETURN d.key AS key, d.namespace AS namespace, d.name AS name, columns
ORDER BY name, namespace
