// Lock a backfill and its job, so that one process at a time starts their runs.
MATCH (b:Backfill {id: $id})
SET b.locked = true
REMOVE b.locked
WITH b
MATCH (b)-[:OF]->(j:Job)
SET j.locked = true
REMOVE j.locked
RETURN b.state AS state, b.which AS which, j.key AS job_key
