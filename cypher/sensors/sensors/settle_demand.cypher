// Settle how often sensors are to be looked at: as often as any wait or trigger wants, or never.
UNWIND $ids AS id
MATCH (s:Sensor {id: id})
SET s.locked = true
REMOVE s.locked
WITH s, id, coalesce($now, datetime.realtime()) AS now
CALL (id) {
  OPTIONAL MATCH ()-[w:WAITS_ON]->()
  WHERE w.open_on = id
  RETURN
    min(w.poke_interval) AS waited, max(w.began_at) AS newest, min(w.began_at) AS oldest
}
CALL (s) {
  OPTIONAL MATCH (s)<-[:WATCHES]-(c:Condition)<-[:HAS_CONDITION]-(t:Trigger {enabled: true})
  RETURN
    min(c.poke_interval) AS watched,
    min(CASE
      WHEN coalesce(c.is_true, false) THEN null
      WHEN t.enabled_at > c.created_at THEN t.enabled_at
      ELSE c.created_at
    END) AS enabled
}
SET s.interval = CASE
      WHEN watched < coalesce(waited, watched + 1) THEN watched
      ELSE waited
    END,
    s.is_watched = watched IS NOT NULL,
    s.newest_at = newest,
    s.oldest_at = CASE WHEN enabled < coalesce(oldest, now) THEN enabled ELSE oldest END,
    s.touched_at = now
WITH s, now
CALL (s, now) {
  WITH s, now WHERE s.interval IS NULL
  SET s:Idle, s.idle_since = coalesce(s.idle_since, now)
}
CALL (s) {
  WITH s WHERE s.interval IS NOT NULL
  REMOVE s:Idle, s.idle_since
}
RETURN s.id AS id, s.interval IS NOT NULL AS is_kept
ORDER BY id
