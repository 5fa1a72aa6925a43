// The datasets that are connected with a dataset by names, up to a limit, each with its own names.
UNWIND $keys AS key
MATCH (start:Dataset {key: key})
CALL (start) {
  MATCH (start)-[:HAS_NAME*0..]-(d:Dataset)
  WITH DISTINCT d
  LIMIT $limit
  RETURN collect(d) AS members
}
UNWIND members AS d
WITH key, d
ORDER BY key, d.key
RETURN collect({
  start: key,
  key: d.key,
  namespace: d.namespace,
  name: d.name,
  names: [(d)-[:HAS_NAME]->(o:Dataset) | o.key]
}) AS rows
