// Set the poll intervals of sensors: the shortest of all waits, triggers and freshness terms, or none.
UNWIND $ids AS id
MATCH (s:Sensor {id: id})
// Step 1: lock the sensor by a write, so that concurrent changes of its waits are seen.
SET s.locked = true
REMOVE s.locked
WITH s, id, coalesce($now, datetime.realtime()) AS now
// Step 2: the demand of open waits: shortest interval and its slowest growth, newest and oldest start.
CALL (id) {
  OPTIONAL MATCH ()-[w:WAITS_ON]->()
  WHERE w.open_on = id
  RETURN
    min(w.poke_interval) AS waited, max(w.began_at) AS newest, min(w.began_at) AS oldest,
    min(CASE WHEN w IS NOT NULL THEN coalesce(w.poke_backoff, 1.0) END) AS waited_backoff,
    min(CASE WHEN w IS NOT NULL THEN coalesce(w.max_poke_interval, 3600.0) END) AS waited_longest
}
// Step 3: the demand of enabled triggers, unless all are paused. `enabled` is the earliest time since which a condition
// that is not true yet waits.
CALL (s) {
  OPTIONAL MATCH (s)<-[:WATCHES]-(c:Condition)<-[:HAS_CONDITION]-(t:Trigger {enabled: true})
  WHERE NOT EXISTS { (p:Pause {id: 'all'}) WHERE p.since IS NOT NULL }
  RETURN
    min(c.poke_interval) AS watched,
    min(CASE WHEN t IS NOT NULL THEN coalesce(c.poke_backoff, 1.0) END) AS watched_backoff,
    min(CASE WHEN t IS NOT NULL THEN coalesce(c.max_poke_interval, 3600.0) END) AS watched_longest,
    max(CASE WHEN t.enabled_at > c.created_at THEN t.enabled_at ELSE c.created_at END) AS watched_at,
    min(CASE
      WHEN coalesce(c.is_true, false) THEN null
      WHEN t.enabled_at > c.created_at THEN t.enabled_at
      ELSE c.created_at
    END) AS enabled
}
// Step 4: the demand of freshness terms, whose interval never grows.
CALL (s) {
  OPTIONAL MATCH (s)<-[:WATCHES]-(t:Terms)
  RETURN min(t.poke_interval) AS judged, min(CASE WHEN t IS NOT NULL THEN 1.0 END) AS judged_backoff
}
// Step 5: the shortest interval; null without any demand. Each term is the least that anyone asked for, so that
// nobody's sensor is polled more rarely than asked.
CALL (waited, watched, judged) {
  UNWIND [waited, watched, judged] AS one
  RETURN min(one) AS interval
}
CALL (waited_backoff, watched_backoff, judged_backoff) {
  UNWIND [waited_backoff, watched_backoff, judged_backoff] AS one
  RETURN min(one) AS backoff
}
CALL (waited_longest, watched_longest) {
  UNWIND [waited_longest, watched_longest] AS one
  RETURN min(one) AS longest
}
SET s.interval = interval,
    s.poke_backoff = backoff,
    s.max_poke_interval = longest,
    s.watched_at = watched_at,
    s.is_watched = watched IS NOT NULL,
    s.is_judged = judged IS NOT NULL,
    s.newest_at = newest,
    s.oldest_at = CASE WHEN enabled < coalesce(oldest, now) THEN enabled ELSE oldest END,
    s.touched_at = now
WITH s, now
// Step 6: a sensor without demand becomes Idle, and is deleted later.
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
