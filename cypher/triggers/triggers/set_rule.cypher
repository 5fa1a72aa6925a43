// Set the rule of a trigger and its job, and return the job.
MATCH (t:Trigger {id: $id})
MATCH (j:Job {key: $job_key})
SET t += $properties, t.reset_at = $reset_at
MERGE (t)-[:STARTS]->(j)
WITH t, j
OPTIONAL MATCH (t)-[old:STARTS]->(other:Job) WHERE other <> j
DELETE old
RETURN DISTINCT j.key AS key, j.namespace AS namespace, j.name AS name, j.fqn AS fqn
