// Lock a run, and return whether it reads the skip list for the first time.
MATCH (r:Run {id: $run_id})
SET r.locked = true
REMOVE r.locked
WITH r, r.skips_at IS NULL AS is_first
SET r.skips_at = coalesce(r.skips_at, $now, datetime.realtime())
RETURN is_first
