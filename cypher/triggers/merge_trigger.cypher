// Make sure that a trigger exists, lock it, and say which job it starts.
MERGE (t:Trigger {id: $id})
ON CREATE SET
  t.enabled = true,
  t.generation = 0,
  t.created_at = coalesce($now, datetime.realtime()),
  t.enabled_at = coalesce($now, datetime.realtime())
SET t.name = $name
WITH t
MATCH (j:Job {key: $job_key})
MERGE (t)-[:STARTS]->(j)
