// Delete sent events from the queue, and return whether the claim is still valid.
MATCH (t:ForwardTarget {name: $name})
SET t.locked = true
REMOVE t.locked
WITH t WHERE t.claim = $claim
CALL () {
  UNWIND $sent AS key
  MATCH (f:Forwarding {key: key})
  DELETE f
  RETURN count(f) AS count
}
SET
  t.sent = t.sent + count,
  t.sent_at = CASE WHEN count > 0 THEN coalesce($now, datetime.realtime()) ELSE t.sent_at END,
  t.attempts = CASE WHEN count > 0 THEN 0 ELSE t.attempts END,
  t.error = CASE WHEN count > 0 THEN null ELSE t.error END,
  t.failing_since = CASE WHEN count > 0 THEN null ELSE t.failing_since END,
  t.next_at = CASE WHEN count > 0 THEN null ELSE t.next_at END
RETURN true AS held
