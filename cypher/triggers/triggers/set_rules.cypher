// Set the rules of triggers and their jobs, and return the jobs; unchanged resets stay due.
UNWIND $rows AS row
MATCH (t:Trigger {id: row.id})
MATCH (j:Job {key: row.job_key})
WITH t, j, row, CASE
  WHEN t.reset_cron = row.properties.reset_cron AND t.reset_zone = row.properties.reset_zone
    THEN coalesce(t.reset_at, row.reset_at)
  ELSE row.reset_at
END AS reset_at
SET t += row.properties, t.reset_at = reset_at
MERGE (t)-[:STARTS]->(j)
WITH t, j
OPTIONAL MATCH (t)-[old:STARTS]->(other:Job) WHERE other <> j
DELETE old
RETURN DISTINCT
  t.id AS trigger_id,
  j.key AS key,
  j.namespace AS namespace,
  j.name AS name,
  j.fqn AS fqn
