// Claim a target with waiting events, unless another process has the claim, until release or expiry.
MATCH (t:ForwardTarget {name: $name})
WHERE
  coalesce(t.next_at <= coalesce($now, datetime.realtime()), true)
  AND EXISTS {
    MATCH (f:Forwarding {waits_for: $name})
    WHERE f.queued_at IS NOT NULL AND f.position IS NOT NULL
  }
SET t.locked = true
REMOVE t.locked
WITH t, coalesce($now, datetime.realtime()) AS now
WHERE coalesce(t.next_at <= now, true) AND coalesce(t.claimed_until <= now, true)
SET t.claim = $claim, t.claimed_until = now + $lease
RETURN t.attempts AS attempts
