// Add a skip of a job in place of its earlier one, unless it would already be expired.
MATCH (j:Job {key: $job_key})
SET j.locked = true
REMOVE j.locked
WITH j, coalesce($now, datetime.realtime()) AS now
WITH j, now, CASE WHEN $lasting IS NULL THEN $until ELSE now + $lasting END AS expires_at
WHERE expires_at IS NULL OR expires_at > now
CALL (j, now) {
  MATCH (old:Skip)-[:SKIPS]->(j)
  WHERE old.id <> $id AND old.removed_at IS NULL AND coalesce(old.expires_at > now, true)
  SET old.removed_at = now, old.removed_by = $author
}
MERGE (s:Skip {id: $id})
ON CREATE SET
  s.reason = $reason,
  s.author = $author,
  s.created_at = now,
  s.expires_at = expires_at
MERGE (s)-[:SKIPS]->(j)
RETURN s.id AS id
