// Datasets by key, each with its current columns in order.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
CALL (d) {
  // Of columns with one name in datasets that are the same, the one of the dataset itself counts.
  MATCH (d)-[:SAME_AS*0..1]->(m:Dataset)-[:HAS_FIELD]->(f:Field)
  WHERE coalesce(f.current, true)
  WITH f, m <> d AS is_other, m.key AS of
  ORDER BY is_other, of
  WITH f.name AS name, collect(f)[0] AS f, collect(is_other)[0] AS is_other
  ORDER BY is_other, f.ordinal, name
  RETURN collect({key: f.key, name: name, type: f.type}) AS columns
}
RETURN d.key AS key, d.namespace AS namespace, d.name AS name, columns
ORDER BY name, namespace
