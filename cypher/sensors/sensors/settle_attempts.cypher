// Give claimed waits another attempt, or end them.
UNWIND $rows AS row
MATCH (:Run {id: row.run_id})-[w:WAITS_ON]->(s:Sensor)
SET s.is_untaken = true,
    w.state = row.state,
    w.attempt = row.attempt,
    w.attempt_ends_at = row.attempt_ends_at,
    w.message = row.message,
    w.log = w.log + row.lines,
    w.outcome = row.outcome,
    w.settled_at = CASE WHEN row.outcome IS NOT NULL THEN coalesce($now, datetime.realtime()) END,
    w.open_on = CASE WHEN row.outcome IS NULL THEN w.open_on END
