// Let an unfinished run wait for a sensor; an existing wait continues.
MATCH (r:Run {id: $run_id})
SET r.locked = true
REMOVE r.locked
WITH r WHERE r.state IN ['PENDING', 'WAITING', 'RUNNING']
MATCH (s:Sensor {id: $id})
WITH r, s, coalesce($now, datetime.realtime()) AS now
MERGE (r)-[w:WAITS_ON]->(s)
ON CREATE SET
  w += $terms,
  w.root_id = $root_id,
  w.asked = $asked,
  w.state = 'smart_pending',
  w.began_at = now,
  w.attempt = 1,
  w.attempt_ends_at = now + $attempt,
  w.deadline = now + $total,
  w.open_on = s.id,
  w.log = []
WITH r, s, w, now
CALL (s, w, now) {
  WITH s, w, now WHERE w.began_at = now AND w.open_on IS NOT NULL
  WITH s, w, now, coalesce(w.poke_backoff, 1.0) AS backoff, coalesce(w.max_poke_interval, 3600.0) AS longest
  SET s.poke_backoff = CASE WHEN s.interval IS NOT NULL AND s.poke_backoff < backoff THEN s.poke_backoff ELSE backoff END,
      s.max_poke_interval = CASE
        WHEN s.interval IS NOT NULL AND s.max_poke_interval < longest THEN s.max_poke_interval
        ELSE longest
      END,
      s.interval = CASE WHEN s.interval < w.poke_interval THEN s.interval ELSE w.poke_interval END,
      s.is_untaken = true,
      s.newest_at = now,
      s.oldest_at = coalesce(s.oldest_at, now),
      s.touched_at = now
  REMOVE s:Idle, s.idle_since
}
RETURN
  s.id AS sensor_id, w.state AS state, w.outcome AS outcome, w.message AS message,
  w.began_at AS began_at, w.deadline AS deadline,
  coalesce(w.settled_at >= w.deadline, false) AS is_late, w.value AS value, w.asked AS asked
