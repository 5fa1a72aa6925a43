// The firings of a trigger without a run, newest first.
MATCH (f:Firing)
WHERE f.trigger_id = $trigger_id AND f.fired_at IS NOT NULL
  AND f.state IN ['HELD', 'ABORTED', 'EXPIRED', 'DEAD_LETTER']
WITH f ORDER BY f.fired_at DESC, f.key LIMIT $limit
RETURN
  f.key AS key, f.state AS state, f.value AS value, f.fired_at AS fired_at, f.reason AS reason,
  f.kept_back AS kept_back, f.held_until AS held_until, f.expires_at AS expires_at
