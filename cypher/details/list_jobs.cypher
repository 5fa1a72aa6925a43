// Jobs by key, each with its ancestors from the root down, its data and its newest runs.
// Times are told in seconds: the driver is slow to read many of its own kind.
UNWIND $keys AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH path = (a:Job)-[:PARENT_OF*]->(j)
  WITH a, length(path) AS distance
  ORDER BY distance DESC
  RETURN collect({key: a.key, namespace: a.namespace, name: a.fqn, simple_name: a.simple_name})
    AS ancestors
}
CALL (j) {
  MATCH (d:Dataset)-[:FEEDS]->(j)
  WHERE d.hidden_at IS NULL
  WITH d
  ORDER BY d.namespace, d.name
  RETURN collect({namespace: d.namespace, name: d.name}) AS inputs
}
CALL (j) {
  MATCH (j)-[:PRODUCES]->(d:Dataset)
  WHERE d.hidden_at IS NULL
  WITH d
  ORDER BY d.namespace, d.name
  RETURN collect({namespace: d.namespace, name: d.name}) AS outputs
}
CALL (j) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key, r.created_at
  LIMIT 1
  RETURN collect(r.created_at) AS firsts
}
CALL (j) {
  MATCH (r:Run)
  WHERE r.job_key = j.key AND r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC, r.id DESC
  LIMIT $runs
  RETURN collect(r.id) AS runs, collect(r.job_version)[0] AS ran
}
CALL (j) {
  MATCH (j)-[:TAGGED]->(t:Tag)
  WITH t.name AS tag ORDER BY tag
  RETURN collect(tag) AS tags
}
CALL (j) {
  MATCH (j)-[:HAS_DECLARATION]->(d:Declaration)
  RETURN collect(d.facts) AS declared
}
RETURN j.key AS key, j.namespace AS namespace, j.fqn AS name, j.simple_name AS simple_name,
       j.name AS own_name, j.kind AS kind, coalesce(j.stub, false) AS stub,
       coalesce(j.current_version, ran) AS version, ancestors, inputs, outputs,
       firsts[0].epochSeconds + firsts[0].microsecond / 1e6 AS created_at, runs, declared, tags
ORDER BY name, namespace, key
