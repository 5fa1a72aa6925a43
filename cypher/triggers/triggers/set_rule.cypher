// Set the rule of a trigger and its job, and return the job; an unchanged reset stays due.
MATCH (t:Trigger {id: $id})
MATCH (j:Job {key: $job_key})
WITH t, j, CASE
  WHEN t.reset_cron = $properties.reset_cron AND t.reset_zone = $properties.reset_zone
    THEN coalesce(t.reset_at, $reset_at)
  ELSE $reset_at
END AS reset_at
SET t += $properties, t.reset_at = reset_at
MERGE (t)-[:STARTS]->(j)
WITH t, j
OPTIONAL MATCH (t)-[old:STARTS]->(other:Job) WHERE other <> j
DELETE old
RETURN DISTINCT j.key AS key, j.namespace AS namespace, j.name AS name, j.fqn AS fqn
