// Set the states of firings that start no run now: held, dropped, or dead letter.
UNWIND $rows AS row
MATCH (f:Firing {key: row.key})
SET f.state = row.state, f.kept_back = row.text, f.held_until = row.until,
    f.asked_at = coalesce($now, datetime.realtime()),
    f.settled_at = CASE WHEN row.state <> 'HELD' THEN coalesce($now, datetime.realtime()) END,
    f.untold_at = CASE WHEN row.state <> 'HELD' THEN coalesce($now, datetime.realtime()) END
