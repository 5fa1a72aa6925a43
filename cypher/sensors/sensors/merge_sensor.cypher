// Create or lock a sensor, and return whether its waits poll exclusively.
MERGE (s:Sensor {id: $id})
ON CREATE SET
  s += $subject,
  s.kind = $kind,
  s.fields = $fields,
  s.shard = $shard,
  s.created_at = coalesce($now, datetime.realtime()),
  s.errors = 0,
  s.breaks = 0
// A pickle that is unsigned, changed or for another Python is replaced.
SET s.locked = true, s.fields = CASE WHEN $code_only THEN $fields ELSE s.fields END
REMOVE s.locked
WITH s
CALL (s) {
  WITH s WHERE $from_graph
  SET s:GraphSensor
}
RETURN s.exclusive_reason AS exclusive_reason
