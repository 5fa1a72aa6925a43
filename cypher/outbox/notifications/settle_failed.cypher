// Record a failed delivery; without a pause before the next attempt, the notification is dead.
MATCH (n:Notification {key: $key})
SET n.locked = true
REMOVE n.locked
WITH n WHERE n.claim = $claim AND n.state = 'PENDING'
SET
  n.state = CASE WHEN $pause IS NULL THEN 'DEAD' ELSE 'PENDING' END,
  n.next_at = coalesce($now, datetime.realtime()) + $pause,
  n.error = $error
REMOVE n.claim
