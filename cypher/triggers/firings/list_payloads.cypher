// The consumed payloads of firings by run or event, oldest first.
UNWIND $keys AS key
MATCH (f:Firing {key: key})-[c:CONSUMED {chosen: true}]->(what)
OPTIONAL MATCH (writer:Run)-[:WRITES]->(what)
WITH key, c, what, coalesce(writer, what) AS said
OPTIONAL MATCH (j:Job)-[:HAS_RUN]->(said)
WITH key, c, what, said, j
ORDER BY key, c.occurred_at, c.key
RETURN collect({
  key: key,
  condition_id: c.condition_id,
  job: j.fqn,
  simple_name: j.simple_name,
  subject: coalesce(said.id, what.key),
  status: c.status,
  occurred_at: toString(c.occurred_at),
  params: coalesce(said.params, said.payload),
  emitted: said.emitted,
  reported: said.reported
}) AS rows
