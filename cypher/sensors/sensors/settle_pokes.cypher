// Store the results of pokes, and return those that are the latest of their sensors.
//
// A poke of the future was before the clock was put back.
UNWIND $rows AS row
MATCH (s:Sensor {id: row.id})
SET s.locked = true
REMOVE s.locked
WITH row, s, coalesce($now, datetime.realtime()) AS now
WHERE s.poked_at IS NULL OR s.poked_at <= row.began_at OR s.poked_at > now
WITH row, s, now, row.is_true IS NOT NULL AS answers
SET s.poked_at = CASE WHEN row.began_at > now THEN now ELSE row.began_at END,
    s.failing_since = CASE WHEN answers THEN null ELSE coalesce(s.failing_since, row.began_at) END,
    s.errors = CASE WHEN answers THEN 0 ELSE s.errors + 1 END,
    s.error = CASE WHEN answers THEN null ELSE row.error END,
    s.breaks = CASE WHEN answers THEN 0 WHEN row.broke THEN s.breaks + 1 ELSE s.breaks END,
    s.changed_at = CASE
      WHEN answers AND (s.is_true IS NULL OR s.is_true <> row.is_true) THEN now
      ELSE s.changed_at
    END,
    s.is_true = CASE WHEN answers THEN row.is_true ELSE s.is_true END
RETURN s.id AS id, coalesce(s.is_judged, false) AS is_judged
ORDER BY id
