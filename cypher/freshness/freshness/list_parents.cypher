// The jobs that have the names which a task's dependencies give.
UNWIND $rows AS row
MATCH (j:Job {namespace: row.namespace, fqn: row.fqn})
RETURN j.namespace AS namespace, j.fqn AS fqn, min(j.key) AS key
ORDER BY namespace, fqn
