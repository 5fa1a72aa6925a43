// Put an event aside that a target refused, if the claim on it still holds: what follows may go on.
MATCH (t:ForwardTarget {name: $name})
SET t.locked = true
REMOVE t.locked
WITH t WHERE t.claim = $claim
MATCH (f:Forwarding {key: $key})
SET f.error = $error, f.refused_at = coalesce($now, datetime.realtime())
REMOVE f.waits_for
