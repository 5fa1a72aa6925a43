// Record a failed send to a target, and pause the target.
MATCH (t:ForwardTarget {name: $name})
SET t.locked = true
REMOVE t.locked
WITH t, coalesce($now, datetime.realtime()) AS now WHERE t.claim = $claim
SET
  t.attempts = t.attempts + 1,
  t.error = $error,
  t.failing_since = coalesce(t.failing_since, now),
  t.next_at = now + $pause
