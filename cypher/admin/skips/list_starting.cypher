// Entries of the skip list whose id starts with a prefix.
MATCH (s:Skip)-[:SKIPS]->(j:Job)
WHERE s.id STARTS WITH $prefix
WITH s, j, CASE
  WHEN s.removed_at IS NOT NULL THEN 'REMOVED'
  WHEN s.expires_at <= coalesce($now, datetime.realtime()) THEN 'EXPIRED'
  ELSE 'IN_FORCE'
END AS state
RETURN
  s.id AS id,
  j.key AS job_key,
  j.namespace AS namespace,
  j.fqn AS job,
  s.reason AS reason,
  s.author AS author,
  state,
  s.created_at AS created_at,
  s.expires_at AS expires_at,
  s.removed_at AS removed_at,
  s.removed_by AS removed_by
ORDER BY id, job
LIMIT 6
