// Mute the failures of a job in place of its earlier mute, unless the end is in the past.
MATCH (j:Job {key: $job_key})
SET j.locked = true
REMOVE j.locked
WITH j, coalesce($now, datetime.realtime()) AS now
WHERE $until > now
OPTIONAL MATCH (old:Mute)-[:MUTES]->(j)
WHERE old.id <> $id
DETACH DELETE old
WITH DISTINCT j, now
MERGE (m:Mute {id: $id})
ON CREATE SET m.reason = $reason, m.author = $author, m.created_at = now, m.expires_at = $until
MERGE (m)-[:MUTES]->(j)
RETURN
  j.namespace AS namespace,
  j.fqn AS job,
  m.reason AS reason,
  m.author AS author,
  m.created_at AS created_at,
  m.expires_at AS expires_at
