// Claim free shards; a new epoch fences off earlier holders.
UNWIND $numbers AS number
MATCH (h:SensorShard {number: number})
SET h.locked = true
REMOVE h.locked
WITH h, coalesce($now, datetime.realtime()) AS now
WHERE h.owner IS NULL OR h.lease_until IS NULL OR h.lease_until < now
  // Renewed in the future: the clock was put back since, and the owner has not been heard again.
  OR h.leased_at > now + duration.between(h.leased_at, h.lease_until)
SET h.owner = $owner, h.epoch = h.epoch + 1, h.leased_at = now, h.lease_until = now + $lease
RETURN h.number AS number, h.epoch AS epoch
ORDER BY number
