// Claim a target with waiting events, unless another process has the claim, until release or expiry.
WITH coalesce($now, datetime.realtime()) AS now
MATCH (t:ForwardTarget {name: $name})
WHERE
  // A pause or a claim that would last longer than any is from before the clock was put back.
  (coalesce(t.next_at <= now, true) OR t.next_at > now + $longest)
  AND EXISTS {
    MATCH (f:Forwarding {waits_for: $name})
    WHERE f.queued_at IS NOT NULL AND f.position IS NOT NULL
  }
SET t.locked = true
REMOVE t.locked
WITH t, coalesce($now, datetime.realtime()) AS now
WHERE (coalesce(t.next_at <= now, true) OR t.next_at > now + $longest)
  AND (coalesce(t.claimed_until <= now, true) OR t.claimed_until > now + $lease)
SET t.claim = $claim, t.claimed_until = now + $lease
RETURN t.attempts AS attempts
