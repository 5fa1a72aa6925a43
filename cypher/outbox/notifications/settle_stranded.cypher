// Drop notifications of unknown channels without any attempt for a given time, and count them.
WITH coalesce($now, datetime.realtime()) - $age AS before
MATCH (n:Notification)
WHERE n.created_at < before AND n.next_at < before AND n.state = 'PENDING'
  AND NOT n.channel IN $known
SET n.locked = true
REMOVE n.locked
// A daemon may have claimed or sent it meanwhile.
WITH n, before WHERE n.next_at < before AND n.state = 'PENDING'
SET n.state = 'DEAD', n.error = $error
REMOVE n.next_at, n.claim
RETURN count(n) AS stranded
