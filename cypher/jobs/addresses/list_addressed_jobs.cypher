// Candidate jobs for names in namespaces: by FQN, own name, simple name or an earlier name.
UNWIND $rows AS row
CALL (row) {
  MATCH (j:Job {fqn: row.name})
  RETURN j, false AS was_so
  UNION
  MATCH (j:Job {name: row.name})
  RETURN j, false AS was_so
  UNION
  MATCH (j:Job {simple_name: row.name})
  RETURN j, false AS was_so
  UNION
  MATCH (:Alias {key: row.alias_key})-[:NAMES]->(j:Job)
  RETURN j, true AS was_so
}
MATCH (top:Job)-[:PARENT_OF*0..]->(j)
WHERE NOT EXISTS { (:Job)-[:PARENT_OF]->(top) }
  AND j.hidden_at IS NULL AND (was_so OR row.namespace IN [j.namespace, top.namespace])
RETURN DISTINCT row.namespace AS asked_namespace, row.name AS asked_name, j.key AS key,
       j.namespace AS namespace, j.fqn AS name, top.namespace AS top_namespace
ORDER BY name, top_namespace, namespace, key
