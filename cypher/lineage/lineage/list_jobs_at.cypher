// The reads and writes of jobs up to a time, and their newest runs at that time.
UNWIND $keys AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH (d:Dataset)-[e:FEEDS]->(j)
  WHERE d.hidden_at IS NULL AND e.first_seen <= $at
  OPTIONAL MATCH (first:Dataset {key: d.same_as})
  WITH DISTINCT coalesce(first, d) AS d
  ORDER BY d.namespace, d.name
  RETURN collect({namespace: d.namespace, name: d.name}) AS inputs
}
CALL (j) {
  MATCH (j)-[e:PRODUCES]->(d:Dataset)
  WHERE d.hidden_at IS NULL AND e.first_seen <= $at
  OPTIONAL MATCH (first:Dataset {key: d.same_as})
  WITH DISTINCT coalesce(first, d) AS d
  ORDER BY d.namespace, d.name
  RETURN collect({namespace: d.namespace, name: d.name}) AS outputs
}
CALL (j) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at <= $at
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT $runs
  RETURN collect(r.id) AS runs
}
RETURN key, inputs, outputs, runs
