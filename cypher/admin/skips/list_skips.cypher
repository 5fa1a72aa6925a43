// The skip list, newest entry first: active entries, or all.
MATCH (s:Skip)-[:SKIPS]->(j:Job)
WITH s, j, CASE
  WHEN s.removed_at IS NOT NULL THEN 'REMOVED'
  WHEN s.expires_at <= coalesce($now, datetime.realtime()) THEN 'EXPIRED'
  ELSE 'IN_FORCE'
END AS state
WHERE ($ended OR state = 'IN_FORCE') AND ($namespace IS NULL OR j.namespace = $namespace)
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
ORDER BY created_at DESC, id, job
SKIP $offset
LIMIT $limit
