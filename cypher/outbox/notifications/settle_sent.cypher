// Note that a notification was sent, if the claim on it still holds.
MATCH (n:Notification {key: $key})
SET n.locked = true
REMOVE n.locked
WITH n WHERE n.claim = $claim AND n.state = 'PENDING'
SET n.state = 'SENT', n.sent_at = coalesce($now, datetime.realtime())
REMOVE n.claim, n.next_at, n.error
