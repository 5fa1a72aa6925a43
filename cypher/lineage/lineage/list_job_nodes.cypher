// Jobs by key, each with its ancestors from the root down and the state of its latest run.
UNWIND $keys AS key
MATCH (j:Job {key: key})
CALL (j) {
  MATCH path = (a:Job)-[:PARENT_OF*]->(j)
  WITH a, length(path) AS distance
  ORDER BY distance DESC
  RETURN collect({key: a.key, namespace: a.namespace, name: a.fqn, simple_name: a.simple_name,
                  kind: a.kind}) AS ancestors
}
CALL (j) {
  MATCH (r:Run {job_key: j.key})
  WHERE r.created_at IS NOT NULL
  WITH r
  ORDER BY r.job_key DESC, r.created_at DESC
  LIMIT 1
  RETURN collect(r.state) AS states,
         coalesce(collect(EXISTS {
           (r)-[:HAS_FACET {scope: 'run', name: 'extractionError'}]->()
         })[0], false) AS is_incomplete
}
RETURN j.key AS key, j.namespace AS namespace, j.fqn AS name, j.simple_name AS simple_name,
       j.kind AS kind, states[0] AS state, ancestors, is_incomplete
ORDER BY name, namespace
