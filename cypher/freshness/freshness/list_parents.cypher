// The jobs that a task's dependencies name.
UNWIND $rows AS row
MATCH (j:Job {namespace: row.namespace, fqn: row.fqn})
RETURN j.namespace AS namespace, j.fqn AS fqn, min(j.key) AS key
ORDER BY namespace, fqn
