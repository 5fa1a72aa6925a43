// Acknowledge the failure of a run, or take that back, and return its state before.
MATCH (r:Run {id: $id})
SET r.locked = true
REMOVE r.locked
WITH r, r.state AS state, $author IS NOT NULL AS is_acknowledged
WHERE state IN ['FAILED', 'KILLED']
SET
  r.acknowledged_at = CASE WHEN is_acknowledged THEN coalesce($now, datetime.realtime()) END,
  r.acknowledged_by = $author,
  r.acknowledgement = $note
RETURN state
