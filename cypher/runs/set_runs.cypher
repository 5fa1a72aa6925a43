// Set the properties of runs, and note when a state changed.
UNWIND $rows AS row
MATCH (r:Run {id: row.id})
SET r.state_at = CASE
  WHEN r.state = row.properties.state AND r.state_at IS NOT NULL THEN r.state_at
  ELSE coalesce($now, datetime.realtime())
END
SET r += row.properties
SET r.created_at = CASE WHEN r.queued_at < row.heard_at THEN r.queued_at ELSE row.heard_at END
