// The active or last definitions of the pipelines that contain jobs with these names.
UNWIND $rows AS row
MATCH (j:Job {namespace: row.namespace, fqn: row.fqn})
MATCH (top:Job)-[:PARENT_OF*0..]->(j)
MATCH (top)-[:HAS_VERSION]->(v:JobVersion {hash: top.current_version})
RETURN row.namespace AS namespace, row.fqn AS fqn, v.definition AS definition,
  top.withdrawn_at IS NOT NULL AS is_withdrawn
ORDER BY namespace, fqn
