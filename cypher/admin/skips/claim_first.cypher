// Lock a run, and say whether it is the first time that it asks for the skip list.
MATCH (r:Run {id: $run_id})
SET r.locked = true
REMOVE r.locked
WITH r, r.skips_at IS NULL AS is_first
SET r.skips_at = coalesce(r.skips_at, $now, datetime.realtime())
RETURN is_first
