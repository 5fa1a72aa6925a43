// A job and its descendants, parents first, with the state and time of their latest runs.
MATCH path = (:Job {key: $key})-[:PARENT_OF*0..]->(j:Job)
WHERE j.hidden_at IS NULL
// Deleted jobs are left out: the children of one are those of the nearest job above it.
WITH j, length(path) AS distance, [n IN nodes(path) WHERE n.hidden_at IS NULL][-2].key AS parent
ORDER BY distance, j.fqn
LIMIT $limit
CALL (j) {
  MATCH (r:Run {job_key: j.key})
  WHERE r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC
  LIMIT 1
  RETURN collect(r) AS latest
}
RETURN j.key AS key, parent, j.namespace AS namespace, j.fqn AS name,
       j.simple_name AS simple_name, j.kind AS kind, coalesce(j.stub, false) AS stub,
       j.current_version AS version, COUNT { (j)-[:HAS_RUN]->() } AS runs,
       latest[0].state AS state, latest[0].started_at AS started_at,
       latest[0].ended_at AS ended_at
ORDER BY distance, name
