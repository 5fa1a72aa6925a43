// Record a delivery, if the claim is still valid.
MATCH (n:Notification {key: $key})
SET n.locked = true
REMOVE n.locked
WITH n WHERE n.claim = $claim AND n.state = 'PENDING'
SET n.state = 'SENT', n.sent_at = coalesce($now, datetime.realtime())
REMOVE n.claim, n.next_at, n.error
