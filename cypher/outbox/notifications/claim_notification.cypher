// Claim the notification of a channel that is due first, until it is settled or the lease ends.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (n:Notification {state: 'PENDING', channel: $channel})
// One from the future was never tried, and is due: the clock was put back.
WHERE n.next_at <= now OR n.attempts = 0 AND n.created_at > now
WITH n ORDER BY n.next_at LIMIT 1
SET n.locked = true
REMOVE n.locked
WITH n, coalesce($now, datetime.realtime()) AS now
WHERE n.state = 'PENDING' AND (n.next_at <= now OR n.attempts = 0 AND n.created_at > now)
SET n.next_at = now + $lease, n.claim = $claim, n.attempts = n.attempts + 1
RETURN
  n.key AS key,
  n.type AS type,
  n.subject AS subject,
  n.namespace AS namespace,
  n.job AS job,
  n.at AS at,
  n.reason AS reason,
  n.message AS message,
  n.owners AS owners,
  n.attempt AS attempt,
  n.next_attempt AS next_attempt,
  n.attempts AS attempts
